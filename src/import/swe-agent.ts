import { createHash, type Hash } from 'node:crypto';
import { textOf, type Message } from '../core/messages/message.ts';
import { contentOf } from './source/content.ts';
import { piecesOf, type Piece } from './source/document.ts';
import { openFragments } from './source/fragments.ts';
import { fieldsOf } from './source/head.ts';
import { hashOf, toSession } from './source/key.ts';
import { appendAll, type MessageOrigin } from './source/passage.ts';
import { isBlank, isJson, recordsAt, type Json } from './source/record.ts';
import type { Importer, ReadOptions, Source, Step } from './source/step.ts';
import {
  isStep,
  messagesOf,
  newTalkState,
  promptsOf,
  stepMessages,
  type TalkState,
} from './swe-message.ts';

// A trajectory is one object: `history` is what was said, `trajectory` the same
// as steps, each with all that the model was told before it. The history is
// told; where a file has none, the steps are. A run that tried several times
// keeps its `attempts` beside the one that it chose.

/** Trajectories of SWE-agent, with function calling or without. */
export const sweAgent: Importer = {
  format: 'swe-agent',
  signs: 'an object with a `trajectory` of steps or a `history` of messages',
  detect,
  read,
};

const nouns = { history: 'entry', trajectory: 'step', attempts: 'attempt' } as const;

function detect(head: string): boolean {
  const fragments = openFragments(Object.keys(nouns));
  const found = fragments.push(head, 1).filter(({ kind }) => kind === 'item');
  return [...found, fragments.rest()].some(({ name, text }) => {
    if (!text.startsWith('{') || !Object.hasOwn(nouns, name)) return false;
    if (name === 'attempts') return text.includes('"trajectory"');
    const record = fieldsOf(text);
    return name === 'trajectory' ? isStep(record) : typeof record['role'] === 'string';
  });
}

async function* read(source: Source, options: ReadOptions = {}): AsyncIterable<Step> {
  const outline = await outlineOf(source, options.signal);
  const { id, system } = outline;
  yield { type: 'session', id, ...(system === undefined ? {} : { system }) };
  const talk = newTalkState();
  for await (const piece of piecesOf(source, nouns, options.signal)) {
    if (piece.kind === 'broken') yield { type: 'skip', line: piece.line, reason: piece.reason };
    if (piece.kind !== 'item') continue;
    if (piece.array === 'attempts') yield* skipAttempt(piece, outline);
    else if (arrayOf(piece) === outline.array) yield* itemSteps(piece, talk, outline);
    options.onBytes?.(piece.end);
  }
  if (source.size !== undefined) options.onBytes?.(source.size);
}

type Item = Extract<Piece, { kind: 'item' }>;

/** An array without an object around it is a history. */
function arrayOf({ array }: Item): string {
  return array === '' ? 'history' : array;
}

/** The outline that a first reading of a trajectory makes. */
interface Outline {
  readonly id: string;
  readonly system?: string;
  /** The array that steps are made of. */
  readonly array: 'history' | 'trajectory';
  /** The attempt that the file tells, from 1. */
  readonly chosen: number | undefined;
}

/** First prompt of an array, and a hash of all of it: runs at one task begin alike. */
interface ArrayDigest {
  system?: string;
  count: number;
  readonly hash: Hash;
}

async function outlineOf(source: Source, signal?: AbortSignal): Promise<Outline> {
  const history: ArrayDigest = { count: 0, hash: createHash('sha256') };
  const trajectory: ArrayDigest = { count: 0, hash: createHash('sha256') };
  let info: Json = {};
  for await (const piece of piecesOf(source, nouns, signal)) {
    if (piece.kind === 'field' && piece.name === 'info' && isJson(piece.value)) info = piece.value;
    if (piece.kind !== 'item' || piece.array === 'attempts') continue;
    const isEntry = arrayOf(piece) === 'history';
    const { record } = piece;
    if (isEntry) addToDigest(history, [record], record);
    else addToDigest(trajectory, promptsOf(record), [record['response'], record['observation']]);
  }
  const array = history.count > 0 ? 'history' : 'trajectory';
  const { system, hash } = array === 'history' ? history : trajectory;
  const best = info['best_attempt_idx'];
  return {
    id: toSession(undefined, hash.digest('hex')),
    ...(system === undefined ? {} : { system }),
    array,
    chosen: typeof best === 'number' ? best + 1 : undefined,
  };
}

function addToDigest(digest: ArrayDigest, entries: readonly Json[], content: unknown): void {
  digest.count += 1;
  digest.hash.update(JSON.stringify(content));
  const prompt = entries.find(isPrompt);
  if (prompt !== undefined) digest.system ??= textOf(contentOf(prompt['content']));
}

function isPrompt(entry: Json): boolean {
  return entry['role'] === 'system' && !isBlank(textOf(contentOf(entry['content'])));
}

function* itemSteps(
  { record, count, line }: Item,
  talk: TalkState,
  { array }: Outline,
): Generator<Step> {
  const isStep = array === 'trajectory';
  const key = `${count}-${hashOf(JSON.stringify(record))}`;
  const before = isStep && !talk.isBegun ? promptsOf(record) : [];
  for (const [index, entry] of before.entries())
    yield* entrySteps(entry, talk, { key: `${key}:before ${index}`, line });
  if (isStep) yield* messageSteps(stepMessages(record, talk), { key, line, noun: `step ${count}` });
  else yield* entrySteps(record, talk, { key, line, noun: `entry ${count}` });
}

interface NamedOrigin extends MessageOrigin {
  /** A noun for the reason of a skip. */
  readonly noun?: string;
}

/** Steps of an entry; the first prompt makes none, for it is the session's. */
function* entrySteps(entry: Json, talk: TalkState, spot: NamedOrigin): Generator<Step> {
  if (!talk.isPrompted && isPrompt(entry)) talk.isPrompted = true;
  else yield* messageSteps(messagesOf(entry, talk), spot);
}

function* messageSteps(messages: readonly Message[] | string, spot: NamedOrigin): Generator<Step> {
  const { noun = 'a prompt', ...place } = spot;
  if (typeof messages === 'string')
    yield { type: 'skip', line: spot.line, reason: `${noun} ${messages}` };
  else yield* appendAll(messages, place);
}

/** A skip for an attempt that was not chosen; the chosen one stands elsewhere in the file. */
function* skipAttempt({ record, count, line }: Item, { chosen }: Outline): Generator<Step> {
  if (count === chosen) return;
  const entries = recordsAt(record, 'history').length;
  const reason = `attempt ${count}, of ${entries} ${entries === 1 ? 'entry' : 'entries'}, was not chosen`;
  yield { type: 'skip', line, reason };
}
