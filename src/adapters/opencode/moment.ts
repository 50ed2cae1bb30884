import { countedUsage, type HostAnswer, type HostMoment } from '../host-memory.ts';
import { countOf, fieldsOf, worded } from '../fields.ts';
import { fromOpenCode } from './from-opencode.ts';
import type { OpenCodeInfo, OpenCodeMessage, OpenCodePart } from './host.ts';
import type { Lookup, ModelName } from './lookup.ts';
import type { Original } from './to-opencode.ts';
import { roomOf } from './window.ts';

/** What OpenCode has when it needs the memory. */
export interface OpenCodeMoment extends HostMoment {
  readonly originals: readonly Original[];
  /** The newest message of a person. */
  readonly asker: OpenCodeInfo;
}

/** What is known beside what OpenCode tells when it is asked. */
export interface Known {
  readonly folder: string;
  /** The configuration in force. */
  readonly config: unknown;
  /** The system prompt of a session, as it was sent last. */
  readonly system: string | undefined;
  /** Why a server refused the newest prompt of a session: OpenCode does not write that into its answer. */
  readonly refused: string | undefined;
}

/** The moment of a session. */
export interface MomentGiven {
  readonly sessionID: string;
  /** What OpenCode is about to send. */
  readonly live?: readonly OpenCodeMessage[];
  /** The answer that is being written, by its id: it and what is behind it come later. */
  readonly until?: string | undefined;
  readonly known: Known;
}

/** Asks OpenCode for what is written of a session. OpenCode's list for a request is without what it compacted. */
export async function momentOf(
  host: Lookup,
  { sessionID, live = [], until, known }: MomentGiven,
): Promise<OpenCodeMoment> {
  const all = await host.messages(sessionID);
  const end = until === undefined ? -1 : all.findIndex(({ info }) => info.id === until);
  const messages = end === -1 ? all : all.slice(0, end);
  const asker = messages.findLast(({ info }) => info.role === 'user')?.info;
  if (asker === undefined) throw new Error('Nobody has said anything yet.');
  const model = modelOf(asker);
  const parent = await host.parent(sessionID);
  const { system, folder, config } = known;
  const lives = new Map(live.map((message) => [message.info.id, message]));
  const repeated = repeats(messages);
  const originals = messages.map((message, index): Original => {
    const sent = lives.get(message.info.id);
    if (repeated.has(index)) return { message, entries: [], guests: [] };
    return {
      message: sent ?? message,
      entries: fromOpenCode(message, parent !== null),
      guests: sent === undefined ? [] : guestParts(sent, message),
    };
  });
  const room = roomOf(await host.limit(model), fieldsOf(config)['compaction']);
  return {
    originals,
    asker,
    messages: originals.flatMap(({ entries }) => entries.map(({ message }) => message)),
    answer: answerIn(messages, known.refused),
    tools: await host.tools(model),
    options: {
      ...room,
      folder,
      model: model.modelID,
      provider: model.providerID,
      ...(system === undefined ? {} : { system }),
      ...(parent === null ? {} : { parent: storedAs(parent) }),
    },
  };
}

/** The id of a session of OpenCode in a store. */
export const storedAs = (sessionID: string): string => `opencode-${sessionID}`;

function modelOf({ model }: OpenCodeInfo): ModelName {
  const { providerID, modelID } = fieldsOf(model);
  return { providerID: worded(providerID), modelID: worded(modelID) };
}

/**
 * Prompts that OpenCode says again, behind a compaction that a refusal began, by their places: what was done for them
 * stands in the log, so they were said once.
 */
function repeats(written: readonly OpenCodeMessage[]): ReadonlySet<number> {
  const isBegun = ({ parts }: OpenCodeMessage | undefined = empty): boolean =>
    parts.some((part) => part.type === 'compaction' && part['overflow'] === true);
  return new Set(
    written.flatMap(({ info, parts }, index) => {
      if (info.role !== 'user' || !isBegun(written[index - 2])) return [];
      const before = written
        .slice(0, index - 2)
        .findLast((one) => one.info.role === 'user' && saidIn(one.parts) !== null);
      const said = saidIn(parts);
      return said !== null && before !== undefined && saidIn(before.parts) === said ? [index] : [];
    }),
  );
}

const empty = { info: { id: '', sessionID: '', role: '' }, parts: [] };

/** All that a prompt says, with media as OpenCode names them when it says it again; null for a compaction. */
function saidIn(parts: readonly OpenCodePart[]): string | null {
  if (parts.length === 0 || parts.some(({ type }) => type === 'compaction')) return null;
  return JSON.stringify(
    parts.map(({ type, text, url, mime, filename = 'file' }) =>
      type === 'file' && /^(image\/|application\/pdf$)/.test(worded(mime))
        ? `[Attached ${worded(mime)}: ${worded(filename)}]`
        : (text ?? url),
    ),
  );
}

/** Parts of a message that are in a request and written nowhere. */
function guestParts(sent: OpenCodeMessage, written: OpenCodeMessage): readonly OpenCodePart[] {
  const known = new Set(written.parts.map(({ id }) => id));
  return sent.parts.filter(({ id }) => id === undefined || !known.has(id));
}

/** The answer that is being written at the end of a session, by its id. */
export function unfinished(written: readonly OpenCodeMessage[]): string | undefined {
  const last = written.findLast(({ info }) => info.role === 'assistant');
  return last !== undefined && !isEnded(last) ? last.info.id : undefined;
}

const isEnded = ({ info }: OpenCodeMessage): boolean =>
  countOf(fieldsOf(info['time'])['completed']) !== undefined || info['error'] !== undefined;

/** The newest answer that has ended, and what its server said of the prompt. */
function answerIn(
  written: readonly OpenCodeMessage[],
  refused: string | undefined,
): HostAnswer | null {
  const answer = written.findLast(
    (one) => one.info.role === 'assistant' && one.info['summary'] !== true && isEnded(one),
  );
  if (answer === undefined) return null;
  const { id: key, error, tokens, finish } = answer.info;
  const { name, data } = fieldsOf(error);
  if (name === 'ContextOverflowError') return { key, error: worded(fieldsOf(data)['message']) };
  if (name === undefined && finish === undefined && refused !== undefined)
    return { key, error: refused };
  const { cache, ...counts } = fieldsOf(tokens);
  return { key, usage: countedUsage({ ...counts, ...fieldsOf(cache) }, openCodeCounts) };
}

const openCodeCounts = ['input', 'output', 'read', 'write'] as const;
