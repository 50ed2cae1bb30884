// What of the public API lists and searches a store: a program that does no more loads little of the engine.
export { openLightReader, type LightReader, type StoreReader } from './engine/open/store-reader.ts';
export { isAlive } from './store/level/owner.ts';
export type { SessionOutline } from './engine/journal/sessions/session-outlines.ts';
export { durableMachines } from './engine/durable/list-machines.ts';
export { queryTerms } from './engine/recall/recall.ts';
export { phrasesIn, withoutQuotes } from './core/search/phrases.ts';
export { wordsIn } from './core/search/terms.ts';
export type { SpreadHits } from './engine/recall/spread-hits.ts';
export type { MissingWord } from './engine/recall/missing-words.ts';
export { countedBudget } from './core/sections/counted-budget.ts';
export { isReference, toReferring } from './core/breadcrumbs/reference.ts';
export { callsIn } from './core/commands/scripted-calls.ts';
export { entityChanges } from './core/assembly/diff.ts';
export { excerpt } from './core/search/excerpt.ts';
export { overhead, roughCount } from './core/messages/token-count.ts';
export { directivesOf } from './core/people/directives.ts';
export { isMostlyPasted, typedIn } from './core/people/pasted.ts';
export { requestIn } from './core/people/requests.ts';
