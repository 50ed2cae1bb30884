// Drive a session without a model.
export {
  honest,
  scriptedSummarizer,
  type Behavior,
  type ScriptedCall,
  type ScriptedOptions,
  type ScriptedSummarizer,
} from './scripted-summarizer.ts';

// Prove a store of your own against the contract.
export { storeSuite, type StoreSuite } from './suites/store.ts';
export type { Change, Kind, Range, Store } from '../store/store.ts';
