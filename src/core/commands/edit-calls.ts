import type { ToolCall } from '../messages/message.ts';
import { slashed } from '../text/slashes.ts';

/** Names of tools that change files. */
const editor =
  /^(?:edit|write|multi_?edit|apply_?patch|create(?!_?plan)|str_?replace|notebook_?edit|update_file|insert|search_replace|replace_in_file)/i;

/** Whether a call is one of a tool that changes files. */
export function isEdit({ name, arguments: args }: ToolCall): boolean {
  const verb = typeof args === 'string' ? '' : args['command'];
  return (
    editor.test(name) || (typeof verb === 'string' && /^(?:create|str_replace|insert)$/.test(verb))
  );
}

const pathKeys = [
  'file_path',
  'filePath',
  'path',
  'filename',
  'target_file',
  'notebook_path',
  'file',
] as const;

/** The file that a call's arguments name; undefined for none, and for a patch. */
export function pathArgument({ arguments: args }: ToolCall): string | undefined {
  if (typeof args === 'string') return undefined;
  const path = pathKeys
    .map((key) => args[key])
    .find((value): value is string => typeof value === 'string');
  return path === undefined ? undefined : slashed(path);
}

/** The head of a file in a patch, up to its path. */
export const patchHead: string = String.raw`^(?:\*\*\* (?:Add|Update|Delete) File: |(?:--- [^\n]{0,400}\n)?\+\+\+ )`;
