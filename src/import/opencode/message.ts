import type { Content, Part } from '../../core/messages/message.ts';
import { machineMessage, partOf, userMessages } from '../source/content.ts';
import { answeredBy } from '../source/model.ts';
import { isBlank, recordAt, recordsAt, stringAt, toTime, type Json } from '../source/record.ts';
import { fileOf, reasonsOf, textOf, type PartOrigin, type PartMessage } from './part.ts';
import { assistantParts } from './step.ts';

/** Media types of files that OpenCode reads out itself, in text beside them. */
const readOut = new Set(['application/x-directory', 'text/plain']);

/** The fault of a message; undefined if it has none. */
export function faultOf(record: Json): string | undefined {
  const info = recordAt(record, 'info');
  if (info === undefined) return 'has no "info"';
  const { role } = info;
  if (typeof role !== 'string') return 'has no "role"';
  if (role !== 'user' && role !== 'assistant') return `has the unknown role "${role.slice(0, 40)}"`;
  return Array.isArray(record['parts']) ? undefined : 'has no "parts"';
}

/**
 * The messages of a message without a fault, under `key`. `isChild` says that the
 * session is a subagent's, in which no person types.
 */
export function messagesOf(record: Json, key: string, isChild: boolean): readonly PartMessage[] {
  const info = recordAt(record, 'info') ?? {};
  const values = record['parts'];
  const strange = (Array.isArray(values) ? values : []).flatMap((part: unknown, index) =>
    reasonsOf(part).map((reason) => ({ reason: `part ${index + 1} ${reason}` })),
  );
  const parts = recordsAt(record, 'parts');
  const at = toTime(recordAt(info, 'time')?.['created']);
  if (info['role'] === 'user') return [...strange, ...userParts(parts, { key, at, isChild })];
  if (info['summary'] === true) return strange;
  const model = answeredBy(stringAt(info, 'modelID'), stringAt(info, 'providerID'));
  return [...strange, ...assistantParts(parts, { key, at, end: endOf(info), ...model })];
}

/** The finish of a message that names none. */
function endOf(info: Json): string | undefined {
  const error = recordAt(info, 'error');
  if (error === undefined) return stringAt(info, 'finish');
  return error['name'] === 'MessageAbortedError' ? 'aborted' : 'error';
}

function userParts(
  parts: readonly Json[],
  { key, at, isChild }: PartOrigin & { readonly isChild: boolean },
): readonly PartMessage[] {
  const runs: { readonly isMachine: boolean; readonly parts: Part[] }[] = [];
  const hasReadOut = parts.some(isSynthetic);
  for (const part of parts) {
    const isFile = part['type'] === 'file';
    if (isFile ? hasReadOut && readOut.has(String(part['mime'])) : !isSaid(part)) continue;
    const isMachine = isChild || isSynthetic(part);
    const last = runs.at(-1);
    const said = isFile ? fileOf(part) : partOf(part);
    if (last?.isMachine === isMachine) last.parts.push(said);
    else runs.push({ isMachine, parts: [said] });
  }
  const messages = runs.flatMap((run) => {
    const content = joined(run.parts);
    return run.isMachine ? [machineMessage(content)] : userMessages(content);
  });
  return messages.map((message, index) => ({
    message,
    key: index === 0 ? key : `${key}:${index}`,
    at,
  }));
}

/** Whether a part is text that the model was given. */
function isSaid(part: Json): boolean {
  return part['type'] === 'text' && part['ignored'] !== true && !isBlank(textOf(part));
}

const isSynthetic = (part: Json): boolean => part['type'] === 'text' && part['synthetic'] === true;

function joined(parts: readonly Part[]): Content {
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first.text : parts;
}
