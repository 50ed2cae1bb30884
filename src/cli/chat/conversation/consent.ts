import { shownLine, shownValue } from '../../paper/shown.ts';
import { many } from '../../paper/size.ts';
import { cut } from '../../paper/width.ts';
import type { Consent } from '../tools/chat-tool.ts';
import type { Chat } from './chat.ts';

/** Asks the person before something is done outside of the session; a tool that they always allow is not asked for again. */
export function consentOf(
  { person, teller, call, always }: Pick<Chat, 'person' | 'teller' | 'call' | 'always'>,
  { yes }: { readonly yes: boolean },
): Consent {
  return async (tool, { question, args }) => {
    if (yes || always.has(tool)) return 'free';
    if (!person.isThere) return 'refused';
    const { paint, width } = call.paper();
    const lines = args === undefined ? [] : shownValue(args, width);
    teller.tell({ type: 'lines', lines: lines.map((line) => paint(line, 'gray')) });
    const of = ['yes', 'no', 'always'] as const;
    const choices = paint('[y]es/[n]o/[a]lways', 'gray');
    const prompt = `${shownLine(question)}${endsOf(lines)}`;
    const answer = await person.choose(`${prompt}? ${choices} `, { of });
    if (answer === 'always') always.add(tool);
    return answer === 'always' || answer === 'yes' ? 'asked' : 'refused';
  };
}

/** Lines that may scroll away before the question is read. */
const mostSeen = 12;

/** What many lines begin and end with, once more; '' for a few. */
function endsOf(lines: readonly string[]): string {
  if (lines.length <= mostSeen) return '';
  const [first, last] = [lines[1]!, lines.at(-2)!].map((line) => cut(line.slice(4).trim(), 30));
  return ` (${many(lines.length, 'line')}, from ${first} to ${last})`;
}
