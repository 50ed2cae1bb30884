import type { Command } from 'commander';
import { callOf } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import type { Io } from '../io.ts';
import { cleanLine } from '../paper/clean.ts';
import { cut } from '../paper/width.ts';
import type { SessionSummary } from '../../index.ts';
import { titleText } from '../sessions/words/title-text.ts';
import { candidatesFor, type Candidate, type StoreNames } from './candidates.ts';
import { files } from './shell-scripts.ts';

/** Longest line on a value, in cells. */
const longestAbout = 60;

/** Prints what the last of the words may become, for the script of a shell; gives the exit code. */
export async function complete(
  program: Command,
  words: readonly string[],
  io: Io,
): Promise<number> {
  const candidates = await candidatesFor(program, words, namesFor(io));
  const lines =
    candidates === files
      ? [files]
      : candidates.map(({ value, about }) =>
          about === '' ? value : `${value}\t${cut(cleanLine(about), longestAbout, '…')}`,
        );
  if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
  return exits.done;
}

/** How long the server of a model is waited for while somebody types, in milliseconds. */
const serverPatience = 1_000;

/** What the store knows that is told, or of the surroundings; nothing where it cannot be read. */
function namesFor(io: Io): StoreNames {
  const listed = async (store: string | undefined): Promise<readonly SessionSummary[]> => {
    const { latestFirst } = await import('../sessions/pick.ts');
    const { readStore } = await import('../sessions/with-session.ts');
    try {
      return await readStore(callOf(io, 'complete', { store }), latestFirst);
    } catch {
      return [];
    }
  };
  return {
    sessions: async (store) =>
      (await listed(store)).map(({ id, title = '' }) => ({
        value: id,
        about: titleText(title),
        isTitled: true,
      })),
    agents: async (store) => named((await listed(store)).map(({ agent = '' }) => agent)),
    async models() {
      const { serverOf } = await import('../chat/model/server.ts');
      const signal = AbortSignal.timeout(serverPatience);
      try {
        return named(await serverOf({}, io.env).model('').models({ signal }));
      } catch {
        return [];
      }
    },
  };
}

/** Each name once. */
const named = (names: readonly string[]): readonly Candidate[] =>
  [...new Set(names)].filter((name) => name !== '').map((value) => ({ value, about: '' }));
