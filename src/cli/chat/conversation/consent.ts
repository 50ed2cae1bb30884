import { clean } from '../../paper/clean.ts';
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
    const { paint } = call.paper();
    const gray = preview.map((line) => paint(line, 'gray'));
    teller.tell({ type: 'lines', lines: gray });
    const of = ['yes', 'no', 'always'] as const;
    const choices = paint('[y]es/[n]o/[a]lways', 'gray');
    const answer = await person.choose(`${clean(question)}? ${choices} `, { of });
    if (answer === 'always') always.add(right);
    return answer === 'always' || answer === 'yes' ? 'asked' : 'refused';
  };
}
