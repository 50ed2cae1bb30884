import { shownLine, shownLines } from '../../paper/shown.ts';
import { many } from '../../paper/size.ts';
import { cut } from '../../paper/width.ts';
import type { ConsentRequest, Consent } from '../tools/chat-tool.ts';
import type { Chat } from './chat.ts';

/** Asks the person before something is done outside of the session; what they always allow is not asked again. */
export function consentOf(
  { person, teller, call }: Pick<Chat, 'person' | 'teller' | 'call'>,
  { yes }: { readonly yes: boolean },
): Consent {
  const always = new Set<string>();
  return async ({ right, question, preview = [] }: ConsentRequest) => {
    if (yes || always.has(right)) return 'free';
    if (!person.isThere) return 'refused';
    const { paint, width } = call.paper();
    const lines = preview.flatMap(({ text, sign }) =>
      shownLines(text, { sign: sign === undefined ? '  ' : `  ${sign} `, width }),
    );
    teller.tell({ type: 'lines', lines: lines.map((line) => paint(line, 'gray')) });
    const of = ['yes', 'no', 'always'] as const;
    const choices = paint('[y]es/[n]o/[a]lways', 'gray');
    const asked = `${shownLine(question)}${endsOf(lines)}`;
    const answer = await person.choose(`${asked}? ${choices} `, { of });
    if (answer === 'always') always.add(right);
    return answer === 'always' || answer === 'yes' ? 'asked' : 'refused';
  };
}

/** Lines that may scroll away before the question is read. */
const mostSeen = 12;

/** What many lines begin and end with, once more; '' for a few. */
function endsOf(lines: readonly string[]): string {
  if (lines.length <= mostSeen) return '';
  const [first, last] = [lines[0]!, lines.at(-1)!].map((line) => cut(line.trim(), 30));
  return ` (${many(lines.length, 'line')}, from ${first} to ${last})`;
}
