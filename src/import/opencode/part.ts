import type { Message, Part } from '../../core/messages/message.ts';
import { isJson, stringAt, type Json } from '../source/record.ts';

/** A message that some parts make, or why a part makes none. */
export type PartMessage =
  | { readonly message: Message; readonly key: string; readonly at?: number | undefined }
  | { readonly reason: string };

/** Part types that add nothing to the conversation, or repeat others. */
const silent = new Set([
  'agent',
  'compaction',
  'patch',
  'retry',
  'snapshot',
  'step-finish',
  'step-start',
  'subtask',
]);

const spoken = new Set(['file', 'reasoning', 'text', 'tool']);

/** Reasons to skip a part, where they are worth reporting. */
export function reasonsOf(part: unknown): readonly string[] {
  const type = isJson(part) ? String(part['type']) : '';
  if (!isJson(part) || (!silent.has(type) && !spoken.has(type))) return ['is of an unknown type'];
  return type === 'text' && part['ignored'] === true ? ['was never sent to the model'] : [];
}

/** Whether a part belongs to the conversation. */
export function isSpoken({ type }: Json): boolean {
  return spoken.has(String(type));
}

/** Key and time of the messages of a part. */
export interface PartOrigin {
  readonly key: string;
  readonly at: number | undefined;
}

/** The text of a part, empty where it has none. */
export function textOf(part: Json): string {
  return stringAt(part, 'text') ?? '';
}

/** A file as the API gives it: bytes in its address, or an address alone. */
export function fileOf(part: Json): Part {
  const url = stringAt(part, 'url') ?? '';
  const mediaType = stringAt(part, 'mime') ?? 'application/octet-stream';
  const name = stringAt(part, 'filename');
  const inline = /^data:[^,]*;base64,/.exec(url);
  return {
    type: 'file',
    mediaType,
    data: inline === null ? url : url.slice(inline[0].length),
    ...(name === undefined ? {} : { name }),
  };
}
