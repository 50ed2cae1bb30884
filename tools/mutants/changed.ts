import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { and } from 'xstate';
import { space } from './trial.ts';
import { applied, withArrows, type Change, type Node } from './transition.ts';

// What the sources of the machines call while tests run.

/**
 * The configuration of a machine with the change that the environment asks for; where it asks for none,
 * with guards that note which arrows are gone.
 */
export function changed<Config extends object>(given: Config): Config {
  const config = given as unknown as Node;
  const folder = process.env['MUTANTS']!;
  const all = JSON.parse(readFileSync(join(folder, 'changes.json'), 'utf8')) as readonly Change[];
  const active = space.activeMutant;
  let now = config;
  for (const [id, change] of all.entries()) {
    if (change.machine !== config['id']) continue;
    if (active === '') now = marked(now, change, id);
    else if (String(id) === active) now = applied(now, change);
  }
  return now as unknown as Config;
}

/** A configuration whose arrow notes that it is gone; a table has none that could, and says that each test goes them all. */
function marked(config: Node, { path, nth, to }: Change, id: number): Node {
  const isTable = !JSON.stringify(config['states']).includes('"invoke"');
  if (isTable || path.length === 0) {
    note(id);
    return config;
  }
  const noted = (): boolean => (note(id), true);
  return withArrows(config, path, (arrows) =>
    arrows.map((arrow, at) => {
      if (at !== nth) return arrow;
      const guard = arrow.guard === undefined ? [] : [arrow.guard as never];
      const both = to === 'guard inverted' ? [noted, ...guard] : [...guard, noted];
      return { ...arrow, guard: and(both) };
    }),
  );
}

/** As what Stryker puts into sources notes a mutant. */
function note(id: number): void {
  const noted = (space.mutantCoverage ??= { perTest: {}, static: {} });
  const ids = (noted.perTest[space.currentTestId!] ??= {});
  ids[id] = (ids[id] ?? 0) + 1;
}
