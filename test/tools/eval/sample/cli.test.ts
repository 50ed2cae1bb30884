import { expect, test } from 'vitest';
import { main } from '../../../../tools/eval/cli/program.ts';
import { run, type Told } from '../../../cli/call.ts';
import { assistant, call, fileOf, filler, result, user } from '../session.ts';

const evaluate = (line: string): Promise<Told> => run(main, line);

const lines = [
  user('Never rename openBranch in src/core/tree.ts, please.'),
  ...Array.from({ length: 20 }, (_, n) => [
    assistant(`Part ${n}.`, call(`c${n}`, 'read', { path: `src/part-${n}.ts` })),
    result(`c${n}`, filler(150)),
  ]).flat(),
];

test('--sample prints lines of a section with what they came from, and the seed', async () => {
  const line = `${await fileOf(lines)} --budget 2000 --sample 2 --section human --seed 4`;
  const { exit, out, err } = await evaluate(line);
  expect([exit, err]).toEqual([0, '']);
  expect(out).toContain('seed 4');
  expect(out).toContain('human, session.jsonl, flamestack within 2,000 tokens');
  expect(out).toMatch(/1\. before message \d+\nNever rename openBranch/);
  expect(out).toContain(
    '    message 0, user\n    Never rename openBranch in src/core/tree.ts, please.',
  );
  expect((await evaluate(line)).out).toBe(out);
});

test('--json has the same', async () => {
  const line = `${await fileOf(lines)} --budget 2000 --sample 2 --section human --json`;
  const { schema, seed, samples } = JSON.parse((await evaluate(line)).out) as {
    readonly schema: string;
    readonly seed: number;
    readonly samples: readonly object[];
  };
  expect([schema, Number.isInteger(seed)]).toEqual(['flamestack.sample/1', true]);
  expect(samples).toMatchObject([
    { section: 'human', budget: 2_000, lines: [{ sources: [{ place: 0, role: 'user' }] }] },
  ]);
});

test.each([
  ['a.jsonl --sample 3', '--sample and --section go together'],
  ['a.jsonl --section human', '--sample and --section go together'],
  ['a.jsonl --seed 3', '--seed is for --sample'],
  ['a.jsonl --sample 3 --section attic', 'Allowed choices are system, human'],
  ['--probes a.json --sample 3 --section human', '--sample and --probes are two runs'],
  ['--sample 3 --section human', "missing required argument 'file'"],
])('%s is wrong usage', async (line, message) => {
  const { exit, err } = await evaluate(line);
  expect(exit).toBe(2);
  expect(err).toContain(message);
});
