import { isInterruption } from '../../core/messages/machine-text.ts';
import { isHuman } from '../../core/messages/message.ts';
import type { ParentLink } from '../source/branch.ts';
import { contentOf, userMessages } from '../source/content.ts';
import {
  isBlank,
  isJson,
  recordAt,
  recordsAt,
  stringAt,
  toTime,
  type Json,
} from '../source/record.ts';

/** A line of the file, as far as its place and its part in a message. */
export interface LineNode extends ParentLink {
  readonly kind: 'user' | 'assistant' | 'other';
  readonly parent: string | null;
  /** The side chain that it belongs to. */
  readonly chain?: SubagentChain;
  /** The API message that it is a part of. */
  readonly message?: string;
  /** Ids of the calls that it makes. */
  readonly calls: readonly string[];
  /** Ids of the calls that it answers. */
  readonly results: readonly string[];
  /** Whether it says more than results: text of the model, or of the user's side. */
  readonly talks: boolean;
  /** Whether the request failed or was interrupted here. */
  readonly broken: boolean;
  readonly at?: number;
}

/** The lines of one subagent. */
export interface SubagentChain {
  /** Its lines that make messages, in file order. */
  readonly nodes: LineNode[];
  /** The subagent's id, where its lines have one. */
  readonly agent?: string;
  /** Whether its lines stand in a file of their own. */
  readonly isApart: boolean;
  /** A hash of its prompt, by which its call is found. */
  prompt?: string;
}

/** The place and kind of a line. */
export type NodePosition = Pick<LineNode, 'line' | 'id' | 'kind'>;

/** The fault of a line that should hold a message; undefined if it has none. */
export function faultOf(record: Json): string | undefined {
  const { type } = record;
  if (typeof type !== 'string') return 'has no "type"';
  if (type !== 'user' && type !== 'assistant') return undefined;
  if (stringAt(record, 'uuid') === undefined) return 'has no "uuid"';
  const message = recordAt(record, 'message');
  if (message === undefined) return 'has no "message"';
  const { content } = message;
  if (typeof content === 'string' || Array.isArray(content)) return undefined;
  return 'its message has no "content"';
}

/** The kind of a line by its speaker. */
export function kindOf(record: Json): LineNode['kind'] {
  const { type } = record;
  return type === 'assistant' || type === 'user' ? type : 'other';
}

/** Whether a person typed something in it. */
export function isTyped(record: Json): boolean {
  if (record['type'] !== 'user' || record['isMeta'] === true || record['isCompactSummary'] === true)
    return false;
  return userMessages(contentOf(talkOf(record))).some(isHuman);
}

const nothing = { calls: [], results: [], talks: false, broken: false } as const;

/** The calls, results and talk of a line. */
export function partOf(
  record: Json,
  kind: LineNode['kind'],
): Omit<LineNode, keyof NodePosition | 'parent' | 'chain'> {
  if (kind === 'other') return nothing;
  const message = recordAt(record, 'message') ?? {};
  const id = kind === 'assistant' ? stringAt(message, 'id') : undefined;
  const at = toTime(record['timestamp']);
  const blocks = recordsAt(message, 'content');
  const idsOf = (type: string, field: string): readonly string[] =>
    blocks.flatMap((block) => (block['type'] === type ? [String(block[field])] : []));
  return {
    calls: idsOf('tool_use', 'id'),
    results: idsOf('tool_result', 'tool_use_id'),
    talks: record['isMeta'] !== true && talkOf(record).some((block) => !isSilent(block)),
    broken: record['isApiErrorMessage'] === true || (kind === 'user' && isInterrupt(record)),
    ...(id === undefined ? {} : { message: id }),
    ...(at === undefined ? {} : { at }),
  };
}

/** The blocks of a line that are neither calls nor results. */
function talkOf(record: Json): readonly unknown[] {
  const content = recordAt(record, 'message')?.['content'];
  if (!Array.isArray(content)) return [content];
  return content.filter(
    (block) => !isJson(block) || (block['type'] !== 'tool_use' && block['type'] !== 'tool_result'),
  );
}

function isSilent(block: unknown): boolean {
  if (typeof block === 'string') return isBlank(block);
  if (!isJson(block)) return true;
  if (block['type'] === 'thinking' || block['type'] === 'redacted_thinking') return true;
  return block['type'] === 'text' && isBlank(stringAt(block, 'text') ?? '');
}

function isInterrupt(record: Json): boolean {
  return talkOf(record).some((block) => {
    const text = isJson(block) ? block['text'] : block;
    return typeof text === 'string' && isInterruption(text);
  });
}
