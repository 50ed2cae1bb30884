import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cutPlace } from '../../../../tools/eval/probes/cut-place.ts';
import { readProbes, type Cut } from '../../../../tools/eval/probes/probe.ts';
import { sessionFile } from '../../../../tools/eval/probes/session-file.ts';
import { file, folder } from '../../../cli/call.ts';
import { assistant, call, historyOf, user } from '../session.ts';

const probe = {
  id: 'p1',
  kind: 'exact',
  q: 'Which port?',
  gold: '8080',
  keys: ['port | Port', '8080'],
};
const whole = { session: 'data/a.jsonl', cut: { messages: 2 }, probes: [probe] };

test('a probe file is read with the spellings of its keys', async () => {
  const { probes, ...rest } = await readProbes(await file('a.json', JSON.stringify(whole)));
  expect(rest).toMatchObject({ session: 'data/a.jsonl', cut: { messages: 2 } });
  expect(probes).toEqual([
    {
      id: 'p1',
      kind: 'exact',
      question: 'Which port?',
      answer: '8080',
      keys: [['port', 'Port'], ['8080']],
    },
  ]);
});

test.each([
  ['{', 'it is not JSON'],
  ['null', 'it needs session, cut and probes'],
  [JSON.stringify({ ...whole, cut: { messages: 0 } }), 'it needs session, cut and probes'],
  [JSON.stringify({ ...whole, probes: [{ ...probe, keys: [] }] }), 'at least one key'],
])('%s is refused', async (text, message) => {
  await expect(readProbes(await file('a.json', text))).rejects.toThrow(message);
});

test('the session of a probe file is found from its folder upward', async () => {
  const root = await folder();
  await mkdir(join(root, 'data'));
  await writeFile(join(root, 'data/a.jsonl'), '');
  const probes = { ...whole, file: join(root, 'eval/probes/a.json'), probes: [] };
  expect(sessionFile(probes)).toBe(join(root, 'data/a.jsonl'));
  expect(() => sessionFile({ ...probes, session: 'data/b.jsonl' })).toThrow(
    'is not there; name it',
  );
});

const lines = [
  user('Go'),
  assistant('I look.', call('c1', 'read', { path: 'src/a.ts' })),
  user('Go on'),
  assistant('I look.', call('c2', 'read', { path: 'src/b.ts' })),
  assistant('Done.'),
];

test.each<[string, Cut, number | string]>([
  ['its number', { messages: 4 }, 4],
  ['its text', { messages: 1, next: { role: 'assistant', text: 'Done', calls: [] } }, 4],
  [
    'the nearest of two',
    { messages: 2, next: { role: 'assistant', text: 'I look', calls: [] } },
    1,
  ],
  [
    'its calls',
    { messages: 1, next: { role: 'assistant', text: '', calls: ['read {"path":"src/b'] } },
    3,
  ],
  ['nothing', { messages: 9 }, 'does not have the message'],
  [
    'what is not there',
    { messages: 1, next: { role: 'tool', text: 'Done', calls: [] } },
    'does not have the message',
  ],
])('the message after the cut is found by %s', async (_by, cut, found) => {
  const history = await historyOf(lines);
  const place = (): number => cutPlace(history, { ...whole, file: 'a.json', cut, probes: [] });
  if (typeof found === 'number') expect(place()).toBe(found);
  else expect(place).toThrow(found);
});
