import { existsSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { quote } from '../call/call.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Person } from '../chat/terminal/person.ts';
import type { Teller } from '../chat/output/chat-event.ts';
import { addIgnore, missingIgnore, type IgnoreLine } from './git-ignore.ts';

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

/** What is missing in the `.gitignore` as long as a folder has no document; null for nothing. */
export function newIgnore(folder: string): IgnoreLine | null {
  return existsSync(join(folder, 'NOW.md')) ? null : missingIgnore(folder);
}

/** The command that has git leave a folder alone. */
export function ignoreAdvice({ file, line }: IgnoreLine): string {
  return `To keep them out of git: echo ${quote(cleanLine(line))} >> ${quote(cleanLine(file))}`;
}

/** A folder as it is told: `./memory` for one of the current folder. */
function placeText(folder: string): string {
  const path = normalize(folder);
  return cleanLine(isAbsolute(path) || path.startsWith('.') ? path : `./${path}`);
}
