import { say } from './stage.ts';
import { dryRun, inOrder, outcomesOf, type Tried } from './tests.ts';

/** A mutant by its id behind the switch, with a line that says what it is. */
interface Named {
  readonly id: number;
  readonly file: string;
  readonly line: string;
}

/** How many mutants are tried in one process. */
const atOnce = 25;

/** What came of each mutant, tried with the tests that reach it. */
export async function* tries<One extends Named>(
  mutants: readonly One[],
  given: { readonly folder: string; readonly files: readonly string[]; readonly patience: number },
): AsyncGenerator<One & Tried> {
  const { folder, files, patience } = given;
  const dry = await dryRun(folder, files);
  const { seconds, hits } = dry;
  const missing = files.filter((file) => !seconds.has(file));
  say(`${seconds.size} test files; ${missing.length} fail without a mutant: ${missing.join(', ')}`);
  const found = new Map<string, number>();
  for (let from = 0; from < mutants.length; from += atOnce) {
    const those = mutants.slice(from, from + atOnce);
    const toTry = those.map(({ id, file }) => {
      const reaching = [...seconds.keys()].filter((test) => hits(test, id) > 0);
      return { id, tests: inOrder(file, reaching, { seconds, found, patience }) };
    });
    const outcomes = await outcomesOf(folder, toTry, dry);
    for (const [at, tried] of outcomes.entries()) {
      const mutant = those[at]!;
      yield { ...mutant, ...tried };
      const { outcome, by } = tried;
      if (by !== null) found.set(by, (found.get(by) ?? 0) + 1);
      if (outcome === 'survived' || outcome === 'not reached') say(`${outcome}: ${mutant.line}`);
    }
    say(`  ${from + those.length} of ${mutants.length}`);
  }
}
