// A process that opens a store and is killed by the test that started it:
//   node writer.mjs <compiled source> <location> <power | process> <callers> <digests>
// It says `open`, then the number of each step once its commit resolved, on a synchronous pipe: what
// the parent can read was acknowledged. Without callers it only holds the store. The text of a step holds
// so many digests of its number, which no compression makes smaller.
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , compiled, location, durability, callers, digests = '0'] = process.argv;
const load = (file) => import(pathToFileURL(join(compiled, 'src/store', file)).href);
const { openLevelStore } = await load('level/level-store.js');
const { journalKey, entryKey, sessionKey } = await load('key.js');

const store = await openLevelStore(location, { durability, command: 'test' });
const say = (line) => writeSync(1, `${line}\n`);
let seq = (await store.get('session', sessionKey('s')))?.head ?? 0;
say('open');

const digest = (n, part) => createHash('sha256').update(`${n} ${part}`).digest('hex');
const textOf = (n) =>
  'words '.repeat(100) + Array.from({ length: digests }, (_, part) => digest(n, part)).join(' ');

async function step(n) {
  await store.commit([
    { type: 'put', kind: 'journal', key: journalKey('s', n), value: { n } },
    { type: 'put', kind: 'entry', key: entryKey('s', n), value: { n, text: textOf(n) } },
    { type: 'put', kind: 'session', key: sessionKey('s'), value: { head: n } },
  ]);
  say(n);
}

for (let caller = 0; caller < Number(callers); caller += 1) {
  void (async () => {
    for (;;) await step((seq += 1));
  })();
}
// Its parent is gone, one way or another.
process.stdin.resume().on('end', () => process.exit());
