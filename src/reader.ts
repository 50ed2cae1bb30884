// What of the public API lists and searches a store: a program that does no more loads little of the engine.
export { openLightReader, type LightReader, type StoreReader } from './engine/open/store-reader.ts';
export { durableMachines } from './engine/durable/list-machines.ts';
export { queryTerms } from './engine/recall/recall.ts';
export { giantLimit } from './core/budget/budget.ts';
export { overhead } from './core/messages/token-count.ts';
export { isReference, toReferring } from './core/breadcrumbs/reference.ts';
