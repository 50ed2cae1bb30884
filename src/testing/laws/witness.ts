import type { Assembly } from '../../core/assembly/assembly.ts';
import type { Goal } from '../../core/frames/goal.ts';
import { argumentsOf, isHuman, type Message } from '../../core/messages/message.ts';
import { redactedMessage } from '../../core/messages/redacted-message.ts';
import type { FrameNode } from '../../core/frames/tree.ts';
import type { Count } from '../../core/messages/token-count.ts';
import type { SessionFact } from '../../engine/live/listening/listeners.ts';
import type { SessionState } from '../../engine/step/session-state.ts';
import { recount } from './recount.ts';

// The witness believes nobody: it keeps its own copy of all that was said, of
// every goal there ever was and of each checkpoint as it was first seen.

/** One message as it went in. */
export interface WitnessedEntry {
  /** Position in the log, from 1. */
  readonly n: number;
  readonly id: string;
  readonly message: Message;
  /** The message as JSON, taken before the session saw it. */
  readonly json: string;
  /** The same without its thinking, as it may be sent. */
  readonly sendable: string;
  readonly tokens: number;
  readonly human: boolean;
}

/** A checkpoint as it was last seen. */
export interface SeenCheckpoint {
  readonly tokens: number;
  readonly age: string;
}

/** A compression as it was heard of. */
export interface SeenCompression {
  /** Whether anything came since it began that could call for another. */
  anew: boolean;
  /** Whether the assembly was still over the limit when it was done. */
  overLimit: boolean;
}

/** What was given to a session and seen of it. */
export interface Witness {
  readonly count: Count;
  readonly said: WitnessedEntry[];
  /** The system prompt, window and reserve in force. */
  system: string;
  window: number;
  reserve: number;
  model: string | null;
  /** The limit as a model's reports correct it, by the engine's word; null without a model. */
  corrected: number | null;
  /** How many times our count each model's server said that prompts have: every number that there was. */
  readonly ratios: Map<string, Set<number>>;
  /** Tokens of the tool schemas that assemblies are asked for with. */
  tools: number;
  /** Every goal seen, as JSON. */
  readonly goals: Map<string, Goal>;
  /** Facts heard since the last check, in order. */
  heard: SessionFact[];
  readonly checkpoints: Map<string, SeenCheckpoint>;
  /** The limit in force when each checkpoint was last written. */
  readonly written: Map<string, number>;
  /** Window and reserve as they were last announced, fact by fact. */
  announced: { readonly window: number; readonly reserve: number };
  /** Entries that were announced. */
  entries: number;
  /** The human entries that were newest as of the last restored state, now and in what it showed; 0 for none. */
  restored: readonly number[];
  /** Where entries lie that a restored snapshot left. */
  left: readonly (readonly [first: number, last: number])[];
  /** The epoch, how long the log was when it began, and the smallest limit since it was first seen. */
  epoch: { n: number; upTo: number; limit: number };
  /** The last compression of each frame. */
  readonly compressions: Map<string, SeenCompression>;
  /** The tree and where each frame stands in it, as of the last frame fact. */
  tree: ReadonlyMap<string, Place> | null;
  /** Whether goal or tree changed since the epoch began, and whether they had when a checkpoint was last made. */
  deferred: boolean;
  grown: boolean;
  /** Whether a step since the last check asked for a compression, due or not. */
  asked: boolean;
  /** State of the seeded sampling. */
  seed: number;
}

/** A frame and what stands above it. */
export interface Place {
  readonly node: FrameNode;
  readonly parent: string | null;
}

/** A witness of a session that begins. */
export function newWitness(settings: {
  count: Count;
  system: string;
  window: number;
  reserve: number;
}): Witness {
  return {
    ...settings,
    said: [],
    model: null,
    corrected: null,
    ratios: new Map(),
    entries: 0,
    restored: [],
    left: [],
    tools: 0,
    goals: new Map(),
    heard: [],
    checkpoints: new Map(),
    written: new Map(),
    announced: { window: settings.window, reserve: settings.reserve },
    epoch: { n: -1, upTo: 0, limit: 0 },
    compressions: new Map(),
    tree: null,
    deferred: false,
    grown: false,
    asked: false,
    seed: 1,
  };
}

/** Takes a message down before it is appended; call it again only if it was not refused. */
export function witnessMessage(witness: Witness, message: Message): void {
  const n = witness.said.length + 1;
  const json = JSON.stringify(message);
  const copy = JSON.parse(json) as Message;
  witness.said.push({
    n,
    id: `e${n}`,
    message: copy,
    json,
    sendable: JSON.stringify(withoutThinking(copy)),
    tokens: recount(copy, witness.count),
    human: isHuman(copy),
  });
}

/** Takes down that the text of the entry so many before the last is gone; call it only if it was not refused. */
export function witnessRedaction(witness: Witness, back: number): void {
  const n = Math.max(1, witness.said.length - back);
  const { said } = witness;
  const rest = said.splice(n - 1);
  witnessMessage(witness, redactedMessage(rest[0]!.message));
  said.push(...rest.slice(1));
}

function withoutThinking(message: Message): object {
  if (!('thinking' in message)) return message;
  const { thinking: _, ...rest } = message;
  return rest;
}

/** The limit of an assembly by our count, in tokens. */
export const limitOf = ({
  window,
  reserve,
  corrected,
}: Pick<Witness, 'window' | 'reserve' | 'corrected'>): number => corrected ?? window - reserve;

/** The most that a model's reports can make of window less reserve. */
export const mostCorrected = 2;

/** Takes down how many times our count a server says that a prompt has. */
export function hearReport({ ratios, model }: Witness, ratio: number): void {
  if (model !== null) ratios.set(model, new Set([...(ratios.get(model) ?? []), ratio]));
}

/**
 * What the model's server counts for a token of ours, as far as nobody need ask the engine: 1 without a
 * model or a report, its ratio where it always told the same; null where it told several.
 */
export function evenRatio({ ratios, model }: Witness): number | null {
  const [ratio = 1, ...others] = model === null ? [] : (ratios.get(model) ?? []);
  return others.length === 0 ? ratio : null;
}

/**
 * The most that one human entry may take before it may be shortened, in tokens.
 * A limit that a report changed counts from the next epoch, for it must not
 * change what was already assembled.
 */
export function fifth({ epoch }: Witness, { budget }: Assembly): number {
  return Math.floor((epoch.limit - budget.system - budget.tools - budget.goal) / 5);
}

/** Takes down what the session announced, and where it is now. */
export function noteState(witness: Witness, { epoch, goal, budget }: SessionState): void {
  for (const fact of witness.heard) noteFact(witness, fact);
  witness.corrected = witness.model === null ? null : budget.limit;
  if (goal !== null) witness.goals.set(JSON.stringify(goal), goal);
  const limit = limitOf(witness);
  if (witness.epoch.n !== epoch) witness.epoch = { ...witness.epoch, n: epoch, limit };
  else witness.epoch.limit = Math.min(witness.epoch.limit, limit);
}

function noteFact(witness: Witness, fact: SessionFact): void {
  if (fact.type.startsWith('frame.') || fact.type === 'state.restored') witness.tree = null;
  if (fact.type === 'state.restored') noteRestored(witness, fact);
  if (fact.type === 'checkpoint.raised')
    witness.checkpoints.set(fact.checkpoint, { tokens: fact.tokens, age: fact.age });
  if (fact.type === 'entry.appended') witness.entries = Number(fact.entry.slice(1));
  if (fact.type === 'epoch.raised') witness.epoch.upTo = witness.entries;
  if (fact.type === 'options.changed') noteOptions(witness, fact.options);
  if (fact.type === 'goal.set' || fact.type === 'goal.updated')
    witness.goals.set(JSON.stringify(fact.goal), fact.goal);
  const id = writtenIn(fact);
  if (id !== null) witness.written.set(id, mostAnnounced(witness));
}

/** What was restored may be finer and younger than it was a moment ago, and calls for compressions of its own. */
function noteRestored(
  witness: Witness,
  fact: Extract<SessionFact, { type: 'state.restored' }>,
): void {
  witness.epoch.upTo = fact.epochView.upTo;
  witness.restored = [fact.newest, fact.epochView.newest].map((entry) => entry?.n ?? 0);
  witness.left = fact.left.flatMap(({ cause, runs }) => (cause === 'restore' ? runs : []));
  for (const [, { checkpoints }] of fact.views)
    for (const { id, tokens, age } of checkpoints) witness.checkpoints.set(id, { tokens, age });
}

/**
 * What a person said last, of the entries up to `upTo`; undefined for nothing. What the restoring of a
 * snapshot left does not count, but for what was newest then, too: somebody kept that.
 */
export function newestSaid(
  { said, left, restored }: Witness,
  upTo: number = said.length,
): WitnessedEntry | undefined {
  const isLeft = (n: number): boolean => left.some(([first, last]) => n >= first && n <= last);
  return said.findLast(
    ({ n, human }) => human && n <= upTo && (restored.includes(n) || !isLeft(n)),
  );
}

/** The most that the limit can be with what was announced so far. */
function mostAnnounced({ announced, model }: Witness): number {
  const room = announced.window - announced.reserve;
  return model === null ? room : room * mostCorrected;
}

/** The checkpoint that a fact says was written or shortened. */
function writtenIn(fact: SessionFact): string | null {
  if (fact.type === 'checkpoint.created') return fact.checkpoint.id;
  if (fact.type === 'checkpoint.aged') return fact.checkpoint;
  return fact.type === 'checkpoint.merged' ? fact.into.id : null;
}

/** The window that was announced, and the model; a server that gives a smaller one away changes it without a move. */
function noteOptions(
  witness: Witness,
  { window, reserve, model }: Extract<SessionFact, { type: 'options.changed' }>['options'],
): void {
  witness.model = model;
  witness.announced = { window, reserve };
  Object.assign(witness, { window, reserve });
}

/** The calls of an entry with the id that each goes by: its own, or entry and place. */
export function callsOf(
  said: WitnessedEntry,
): readonly { id: string; name: string; json: string }[] {
  if (said.message.role !== 'assistant') return [];
  return (said.message.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `${said.id}.${index + 1}`,
    name: call.name,
    json: argumentsOf(call),
  }));
}

/** The next number of a seeded sequence, below `below`. */
export function nextRandom(witness: Witness, below: number): number {
  witness.seed = (Math.imul(witness.seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((witness.seed / 2 ** 32) * below);
}

/** The entry of an id, as it was said; undefined where there is none. */
export const saidAs = (id: string, witness: Witness): WitnessedEntry | undefined =>
  witness.said[position(id) - 1];

/** The place of an entry in the log, from 1, by its id. */
export const position = (id: string): number => Number(id.slice(1));
