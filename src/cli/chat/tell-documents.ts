import { isAbsolute, normalize } from 'node:path';
import { cleanLine } from '../paper/clean.ts';
import { addIgnore, ignoreAdvice, newIgnore } from '../sessions/store/git-ignore.ts';
import type { Teller } from './output/chat-event.ts';
import type { Person } from './terminal/person.ts';

/** Says where checkpoint documents are written, before the first one; asks whether git is to leave the folder alone, or says how. */
export async function tellDocuments(
  folder: string,
  { person, teller }: { readonly person: Person; readonly teller: Teller },
): Promise<void> {
  const note = (text: string): void => teller.tell({ type: 'note', text });
  note(`Checkpoint documents are written to ${placeText(folder)}.`);
  const missing = newIgnore(folder);
  if (missing === null) return;
  if (!person.isThere || person.isAhead) return note(ignoreAdvice(missing));
  const { file, line } = missing;
  const question = `Git would see them. Add ${cleanLine(line)} to ${cleanLine(file)}? [y/N] `;
  const answer = await person.choose(question, { of: ['yes', 'no'], usual: 'no' });
  if (answer !== 'yes') return;
  await addIgnore(missing);
  note(`Added to ${cleanLine(file)}.`);
}

/** A folder as it is told: `./memory` for one of the current folder. */
function placeText(folder: string): string {
  const path = normalize(folder);
  return cleanLine(isAbsolute(path) || path.startsWith('.') ? path : `./${path}`);
}
