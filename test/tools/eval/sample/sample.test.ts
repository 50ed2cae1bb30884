import { expect, test } from 'vitest';
import { flamestack } from '../../../../tools/eval/flamestack.ts';
import { draw, randomOf } from '../../../../tools/random.ts';
import { sampleOf, type Sample } from '../../../../tools/eval/sample/sample.ts';
import { sectionLines } from '../../../../tools/eval/sample/section-line.ts';
import { sourcesIn } from '../../../../tools/eval/sample/sources.ts';
import type { Section } from '../../../../src/index.ts';
import { assistant, call, filler, historyOf, made, method, result, user } from '../session.ts';

test('the same seed draws the same, in the order of the list, nothing twice', () => {
  const list = Array.from({ length: 100 }, (_, n) => n);
  const drawn = draw(list, 10, randomOf(7));
  expect(drawn).toEqual(draw(list, 10, randomOf(7)));
  expect(drawn).not.toEqual(draw(list, 10, randomOf(8)));
  expect([...new Set(drawn)].sort((one, other) => one - other)).toEqual(drawn);
  expect(draw(list, 200, randomOf(1))).toEqual(list);
});

test('lines have the title of their list and the entries that they or a tag above name', async () => {
  const text = [
    'What was done so far:',
    '<stretch entries="e2–e4">',
    'Decisions:',
    '- argon2id hashes the passwords',
    '- bcrypt is out, see e7',
    'Files: src/hash.ts',
    'e3',
    '</stretch>',
    'The port is 8181.',
  ].join('\n');
  const shown = { ...(await made(text)), section: 'checkpoints' as const };
  const kind = method(() => [], { placeOf: (id) => Number(id.slice(1)) + 1 });
  const moment = {
    place: 9,
    context: [shown, { ...shown, section: 'chronicle' as const }],
    method: await kind.begin({ budget: 1_000, system: '', title: '' }),
  };
  expect(sectionLines(moment, 'checkpoints')).toEqual([
    { text: '- argon2id hashes the passwords', under: 'Decisions:', named: [[3, 5]], place: 9 },
    { text: '- bcrypt is out, see e7', under: 'Decisions:', named: [[8, 8]], place: 9 },
    { text: 'Files: src/hash.ts', under: '', named: [[3, 5]], place: 9 },
    { text: 'The port is 8181.', under: '', named: [], place: 9 },
  ]);
  const entry = { ...moment, context: [{ ...shown, place: 6 }] };
  expect(sectionLines(entry, 'checkpoints').map(({ named }) => named[0])).toEqual([
    [6, 6],
    [6, 6],
    [6, 6],
    [6, 6],
  ]);
});

test('the sources of a line are the earlier entries that share its rarest words', async () => {
  const { entries } = await historyOf([
    user('Which hash is it? Passwords matter.'),
    assistant(`${filler(300)}\nBcrypt cuts at 72 bytes.\nSo argon2id hashes the passwords.\nGood.`),
    assistant('Passwords are done.'),
    assistant('So argon2id hashes the passwords.'),
  ]);
  const sources = sourcesIn(entries);
  const line = { text: 'argon2id hashes passwords', under: '', place: 3, named: [] };
  const found = sources(line);
  expect(found.map(({ place }) => place)).toEqual([1, 0, 2]);
  expect(found[0]).toMatchObject({ role: 'assistant' });
  expect(found[0]!.excerpt).toContain(
    'Bcrypt cuts at 72 bytes.\nSo argon2id hashes the passwords.\nGood.',
  );
  expect(sources({ ...line, named: [[2, 2]] }).map(({ place }) => place)).toEqual([2]);
});

test('an entry that a line names is shown, even if it has nothing of it', async () => {
  const { entries } = await historyOf([user('Go'), assistant('Well.'), assistant('Done.')]);
  const line = { text: 'argon2id hashes passwords', under: '', place: 3, named: [[1, 1] as const] };
  expect(sourcesIn(entries)(line)).toEqual([{ place: 1, role: 'assistant', excerpt: 'Well.' }]);
  expect(sourcesIn(entries)({ ...line, named: [] })).toEqual([]);
});

const long = [
  user('Never rename openBranch in src/core/tree.ts.'),
  ...Array.from({ length: 30 }, (_, n) => [
    assistant(`Part ${n} sets limit${n}.`, call(`c${n}`, 'read', { path: `src/part-${n}.ts` })),
    result(`c${n}`, filler(150)),
  ]).flat(),
];

test('lines of a section of the engine are drawn out of four contexts', async () => {
  const playing = { history: await historyOf(long), budget: 2_000, frames: true };
  const drawn = (section: Section, seed: number): Promise<Sample> =>
    sampleOf(flamestack('flamestack'), { section, count: 3, seed }, playing);
  const sample = await drawn('checkpoints', 5);
  expect(sample).toEqual(await drawn('checkpoints', 5));
  expect(sample).toMatchObject({ method: 'flamestack', budget: 2_000, section: 'checkpoints' });
  expect(sample.lines).toHaveLength(3);
  expect(sample.of).toBeGreaterThan(3);
  for (const { place, sources } of sample.lines) {
    expect([15, 31, 46, 61]).toContain(place);
    for (const source of sources) expect(source.place).toBeLessThan(place);
  }
  expect((await drawn('goal', 5)).lines).toEqual([]);
});
