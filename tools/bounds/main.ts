import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { entryPoints, type Reading } from './entry-points.ts';
import { growthOf } from './growth.ts';
import { texts } from './texts.ts';

// Which reading of a text takes longer than its length: every function of the rooms below that takes one
// text, and the entry points of the package, each with texts that scanners choke on, four times as long
// the second time. Prints those that grow faster than they should. Time decides, so it is no test: on a
// machine with other work a line may be noise, which a second run tells.
//
//   npm run bounds [word of a function's name or file] [length]

const rooms = [
  'core',
  'import',
  'llm',
  'tokenizer',
  'cli/paper',
  'engine/tools',
  'engine/compression',
];

/** A function of one text, by what its argument is called. */
const takesText =
  /^(?:async )?(?:function\*? ?\w*)?\s*\(?(?:text|markdown|line|given|printed|query|said|sentence|value|path|command|ref|name|words?|head|raw|json|output|source|start|id)\b\)?/;

/** The functions of one text in the built sources. */
async function functionsIn(source: string): Promise<readonly Reading[]> {
  const found: Reading[] = [];
  for (const room of rooms)
    for (const file of readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.js')) continue;
      const path = join(source, room, file);
      const exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
      for (const [name, value] of Object.entries(exported))
        if (typeof value === 'function' && takesText.test(String(value)))
          found.push({ name: `${relative(source, path)} ${name}`, read: value as Reading['read'] });
    }
  return found;
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const [wanted = '', length = '196608'] = process.argv.slice(2);
const source = fileURLToPath(new URL('../../src', import.meta.url));
const readings = [...(await functionsIn(source)), ...entryPoints].filter(({ name }) =>
  name.includes(wanted),
);
let faults = 0;
for (const { name, read } of readings)
  for (const [label, make] of Object.entries(texts)) {
    const growth = await growthOf((size) => make(size), read, Number(length));
    if (growth === null) continue;
    faults += 1;
    say(`${name}  ${label}  ${growth}`);
  }
say(`${readings.length} readings of ${Object.keys(texts).length} texts: ${faults} grow too fast`);
process.exitCode = faults > 0 ? 1 : 0;
