import { countTokens } from '../../../index.ts';
import { overhead } from '../../../reader.ts';
import { many, number } from '../../paper/size.ts';
import { wrap } from '../../paper/width.ts';
import type { Chat } from './chat.ts';

/** Characters of the shortest text that is counted before it is sent: a shorter one takes no fifth of any window. */
const leastCounted = 400;

/** Whether a message is to be sent: one too long for the model to see whole is asked about first, where somebody is there. */
export async function isToBeSent(
  { session, person, teller, call }: Chat,
  text: string,
): Promise<boolean> {
  if (!person.isThere || person.isAhead || text.length < leastCounted) return true;
  const { longest: most } = session.state;
  const tokens = overhead.message + (await countTokens(text));
  if (tokens <= most) return true;
  const lines = [
    `That is about ${many(tokens, 'token')}, more than a message may take in this window.`,
    `The model gets about ${number(most)} of them, the beginning and the end; all of it is kept, and can be recalled.`,
  ].flatMap((line) => wrap(line, call.paper().width));
  const question = [...lines, 'Send it? [Y/n] '].join('\n');
  const answer = await person.choose(question, { of: ['yes', 'no'], usual: 'yes' });
  if (answer === 'yes') return true;
  teller.tell({ type: 'note', text: 'Not sent. The up arrow brings it back; /window makes room.' });
  return false;
}
