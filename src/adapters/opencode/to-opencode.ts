import type { Assembly, Content, OutMessage } from '../../index.ts';
import { fieldsOf } from '../fields.ts';
import { interrupted, toolsOf, type OpenCodeEntry } from './from-opencode.ts';
import type { OpenCodeInfo, OpenCodeMessage, OpenCodePart } from './host.ts';

/** A message of OpenCode, and the entries of the log that it made. */
export interface Original {
  readonly message: OpenCodeMessage;
  readonly entries: readonly OpenCodeEntry[];
  /** What others put into it for this request. */
  readonly guests: readonly OpenCodePart[];
}

/** Where the messages of an assembly come from. */
export interface Origins {
  /** The key of an entry; undefined for one that did not come from OpenCode. */
  readonly keyOf: (entry: string) => string | undefined;
  readonly byKey: ReadonlyMap<string, Original>;
  /** A person's message, whose info stands over what is made here. */
  readonly asker: OpenCodeInfo;
}

type Said = Exclude<OutMessage, { readonly role: 'system' }>;

/** Messages of an assembly that follow one another and come from one message of OpenCode. */
interface Run {
  readonly original: Original | undefined;
  readonly said: Said[];
}

/**
 * An assembly as messages of OpenCode, without the system prompt, which OpenCode sends itself. What stands whole is
 * OpenCode's own message, with whatever its provider signed; a call and its result are one part again.
 */
export function toOpenCode(assembly: Assembly, origins: Origins): readonly OpenCodeMessage[] {
  const keyIn = ({ entry }: Said): string | undefined =>
    entry === undefined ? undefined : origins.keyOf(entry);
  const runs: Run[] = [];
  for (const message of assembly.messages) {
    if (message.role === 'system') continue;
    const key = keyIn(message);
    const original = key === undefined ? undefined : origins.byKey.get(key);
    const last = runs.at(-1);
    if (original !== undefined && last?.original === original) last.said.push(message);
    else runs.push({ original, said: [message] });
  }
  return runs.flatMap(({ original, said }, index) => {
    if (original === undefined) return madeOf(said[0]!, { origins, index });
    const keys = said.map((one) => (one.kind === 'entry' ? keyIn(one) : undefined));
    return isWhole(original, keys) ? [uncut(original.message)] : rebuilt(original, { said, keys });
  });
}

/** Whether all entries of a message stand as they are. A call that stands twice in it is not sent twice. */
function isWhole({ message, entries }: Original, keys: readonly (string | undefined)[]): boolean {
  const calls = message.parts.filter(({ type }) => type === 'tool');
  return (
    keys.length === entries.length &&
    entries.every(({ key }, index) => key === keys[index]) &&
    toolsOf(message.parts).length === calls.length
  );
}

/** A message with all that its tools put out: OpenCode may have marked old results as cleared. */
function uncut(message: OpenCodeMessage): OpenCodeMessage {
  const isCut = (part: OpenCodePart): boolean =>
    fieldsOf(fieldsOf(part['state'])['time'])['compacted'] !== undefined;
  if (!message.parts.some(isCut)) return message;
  const parts = message.parts.map((part) => {
    if (!isCut(part)) return part;
    const state = fieldsOf(part['state']);
    return {
      ...part,
      state: { ...state, time: { ...fieldsOf(state['time']), compacted: undefined } },
    };
  });
  return { ...message, parts };
}

/** What the engine made, in the user role; without its original nothing says who spoke. */
function madeOf(
  message: Said,
  { origins, index }: { readonly origins: Origins; readonly index: number },
): readonly OpenCodeMessage[] {
  const id = `msg_flamestack${index}`;
  const before =
    message.role === 'assistant'
      ? 'Said before:\n'
      : message.role === 'tool'
        ? `Result of ${message.name ?? 'a tool'}:\n`
        : '';
  const parts = partsOf(message.content, id);
  const all = before === '' ? parts : [text(before, id), ...parts];
  return all.length === 0 ? [] : [{ info: { ...origins.asker, id }, parts: all }];
}

/** What is left of a message of OpenCode, with what others put into it. */
function rebuilt(
  { message, entries, guests }: Original,
  {
    said,
    keys,
  }: { readonly said: readonly Said[]; readonly keys: readonly (string | undefined)[] },
): readonly OpenCodeMessage[] {
  const { error: _, ...info } = message.info;
  const results = new Map(
    said.flatMap((one) => (one.role === 'tool' ? [[one.toolCallId, one] as const] : [])),
  );
  const answered = new Set<unknown>();
  const parts = said.flatMap((one, index): readonly OpenCodePart[] => {
    const entry = entries.find(({ key }) => key === keys[index]);
    if (one.role === 'tool')
      return answered.has(one.toolCallId) ? [] : [text(strayOf(one), info.id)];
    if (one.role !== 'assistant') return entry?.parts ?? partsOf(one.content, info.id);
    const calls = (one.toolCalls ?? []).map((call) => {
      answered.add(call.id);
      const known = toolsOf(message.parts).find(({ callID }) => callID === call.id);
      return toolPart(known, { call, result: results.get(call.id), messageID: info.id });
    });
    const words =
      entry?.parts.filter(({ type }) => type !== 'tool') ?? partsOf(one.content, info.id);
    return [...words, ...calls];
  });
  const all = [...parts, ...guests];
  return all.length === 0 ? [] : [{ info, parts: all }];
}

const strayOf = ({ name, content }: Extract<Said, { role: 'tool' }>): string =>
  `Result of ${name ?? 'a tool'}:\n${plain(content)}`;

type Call = NonNullable<Extract<Said, { role: 'assistant' }>['toolCalls']>[number];

/** A call with its result, as far as it stands. */
function toolPart(
  known: OpenCodePart | undefined,
  exchange: {
    readonly call: Call;
    readonly result: Extract<Said, { role: 'tool' }> | undefined;
    readonly messageID: string;
  },
): OpenCodePart {
  const { call, result, messageID } = exchange;
  const state = fieldsOf(known?.['state']);
  const input = typeof call.arguments === 'string' ? { text: call.arguments } : call.arguments;
  const time = { start: 0, end: 0, ...fieldsOf(state['time']), compacted: undefined };
  const base = { id: `prt_${call.id}`, messageID, type: 'tool', callID: call.id, tool: call.name };
  const said = result === undefined ? interrupted : plain(result.content);
  const isBroken =
    result === undefined || (result.isError === true && state['status'] !== 'completed');
  return {
    ...base,
    ...known,
    state: isBroken
      ? { status: 'error', input, error: said, time }
      : {
          status: 'completed',
          input,
          output: said,
          title: '',
          metadata: {},
          time,
          attachments: filesOf(result.content, messageID),
        },
  };
}

const text = (said: string, messageID: string): OpenCodePart => ({
  id: `prt_${messageID}`,
  messageID,
  type: 'text',
  text: said,
});

/** The text of a content. */
const plain = (content: Content): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

function partsOf(content: Content, messageID: string): readonly OpenCodePart[] {
  const said = plain(content);
  return [...(said === '' ? [] : [text(said, messageID)]), ...filesOf(content, messageID)];
}

function filesOf(content: Content, messageID: string): readonly OpenCodePart[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part) =>
    part.type === 'text'
      ? []
      : [
          {
            id: `prt_${messageID}`,
            messageID,
            type: 'file',
            mime: part.mediaType,
            url: /^\w+:/.test(part.data) ? part.data : `data:${part.mediaType};base64,${part.data}`,
            ...(part.name === undefined ? {} : { filename: part.name }),
          },
        ],
  );
}
