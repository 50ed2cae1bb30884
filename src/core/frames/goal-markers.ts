import { unfenced } from '../text/sentences.ts';

/** A goal marker: a line of assistant text that changes the goal. */
export type Marker =
  | { readonly type: 'goal'; readonly text: string }
  | {
      readonly type: 'milestone';
      readonly text: string;
      readonly status: 'pending' | 'in_progress' | 'completed';
    }
  | { readonly type: 'decision'; readonly text: string; readonly locked: boolean }
  | { readonly type: 'artifact'; readonly path: string; readonly change: 'created' | 'modified' }
  | { readonly type: 'next'; readonly text: string };

const opening =
  /^\s{0,40}(?:(?:[-*+•]|\d{1,3}[.)])\s{1,8}){0,2}(\*\*|__)?\[(GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\](?:\*\*|__)?:?\s?/;

/**
 * The goal markers in assistant text, in order: at most one a line, perhaps after
 * a list bullet or in bold. None are read from fenced code, from lines without
 * a text and from anything beyond 200,000 characters.
 */
export function markersIn(text: string): readonly Marker[] {
  if (!text.includes(']')) return [];
  return unfenced(text, 'code').flatMap((line) => {
    const match = opening.exec(line);
    if (match === null) return [];
    const marker = toMarker(match[2]!, unbold(line.slice(match[0].length), match[1] ?? ''));
    return marker === null ? [] : [marker];
  });
}

function toMarker(tag: string, body: string): Marker | null {
  if (!/[\p{L}\p{N}]/u.test(body)) return null;
  if (tag === 'GOAL') return { type: 'goal', text: body };
  if (tag === 'NEXT') return { type: 'next', text: body };
  if (tag === 'ARTIFACT') return artifact(body);
  const { text, word } = splitStatus(body);
  if (text === '') return null;
  if (tag === 'DECISION') return { type: 'decision', text, locked: word === 'locked' };
  if (word === 'completed') return { type: 'milestone', text, status: 'completed' };
  if (word === 'inprogress') return { type: 'milestone', text, status: 'in_progress' };
  return { type: 'milestone', text, status: 'pending' };
}

/** The text of a decision or milestone without the status at its end, as the goal has it. */
export function unmarked(text: string): string {
  return splitStatus(text).text || text;
}

/** The text before the last dash and the status after it, lower case; all of it and '' where there is no status. */
function splitStatus(body: string): { readonly text: string; readonly word: string } {
  const end = body.slice(-40);
  const match =
    /(?:^|\s)[-–—]{1,3}\s{0,8}\W{0,4}(completed|in[ _-]?progress|pending|locked|unlocked|not locked)\W{0,4}$/iu.exec(
      end,
    );
  if (match === null) return { text: body, word: '' };
  const text = body.slice(0, body.length - end.length + match.index).trim();
  return { text: unbold(text, ''), word: match[1]!.toLowerCase().replace(/[ _-]/g, '') };
}

function artifact(body: string): Marker | null {
  const match = /^(created|modified):?\s{1,8}(\S.*)$/i.exec(body);
  if (match === null) return null;
  const [, verb, rest] = match as unknown as [string, string, string];
  const quoted = /^(`|"|')([^`"']+)\1/.exec(rest)?.[2];
  const path = (quoted ?? rest.split(/ [-–—(]/)[0]!).trim();
  if (path === '') return null;
  return {
    type: 'artifact',
    path,
    change: verb.toLowerCase() === 'created' ? 'created' : 'modified',
  };
}

/** The text without the closing mark of bold type. */
function unbold(text: string, bold: string): string {
  const trimmed = text.trim();
  return bold !== '' && trimmed.endsWith(bold) ? trimmed.slice(0, -bold.length).trim() : trimmed;
}
