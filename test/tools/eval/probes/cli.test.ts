import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../../../tools/eval/cli/program.ts';
import { file, folder, run, type Told } from '../../../cli/call.ts';
import { assistant, call, fileOf, filler, result, user } from '../session.ts';

const evaluate = (line: string): Promise<Told> => run(main, line);

/** Something decided at the start, work that fills a window, and the end, before which the session is cut. */
const lines = [
  user('The server must listen on port 8181 and never log passwords.'),
  ...Array.from({ length: 12 }, (_, n) => [
    assistant(`Part ${n}.`, call(`c${n}`, 'read', { path: `src/part-${n}.ts` })),
    result(`c${n}`, filler(150)),
  ]).flat(),
  assistant('All parts are read.'),
  assistant('Which port was it?'),
];

const probes = {
  session: 'session.jsonl',
  cut: { messages: 26, next: { role: 'assistant', text: 'Which port', calls: [] } },
  probes: [
    { id: 'p1', kind: 'exact', q: 'Which port?', gold: '8181', keys: ['port', '8181'] },
    { id: 'p2', kind: 'state', q: 'What is done?', gold: 'All read', keys: ['parts are read'] },
    { id: 'p3', kind: 'exact', q: 'Who asks?', gold: 'The agent', keys: ['Which port was it'] },
  ],
};

/** The session, and the probe file beside it. */
async function files(): Promise<{ readonly session: string; readonly asked: string }> {
  const session = await fileOf(lines);
  const asked = join(dirname(session), 'ports.json');
  await writeFile(asked, JSON.stringify(probes));
  return { session, asked };
}

test('--probes prints by what is asked how many answers each context holds', async () => {
  const { asked } = await files();
  const line = `--probes ${asked} --budget 1000 --method flamestack,keep-last`;
  const { exit, out, err } = await evaluate(`${line} --all`);
  expect([exit, err]).toEqual([0, '']);
  expect(out).toContain('ports  3 probes, flamestack, 27 messages');
  expect(out).toContain('within 1,000 tokens');
  expect(out).toMatch(/exact \(2\) +50\.0 +0\.0\n/);
  expect(out).toMatch(/state \(1\) +100\.0 +100\.0\n/);
  expect(out).toMatch(/all \(3\) +66\.7 +33\.3\n/);
  expect(out).not.toContain('By probe file');
});

test('unless told otherwise it prints what each method answers, and by kind what the first does', async () => {
  const { asked } = await files();
  const { exit, out } = await evaluate(
    `--probes ${asked} --budget 1000,2k --method flamestack,keep-last`,
  );
  expect(exit).toBe(0);
  expect(out).toMatch(/Answered, of 3 probes, in %\n {2}1,000 +66\.7 +33\.3\n {2}2,048 /);
  expect(out).toMatch(/flamestack by kind, in %\n {2}exact \(2\) +50\.0 /);
  expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
});

test('several probe files are asked of the same session, or of one each', async () => {
  const { asked, session } = await files();
  const other = join(dirname(session), 'work.json');
  await writeFile(other, JSON.stringify({ ...probes, probes: probes.probes.slice(1, 2) }));
  const line = `--probes ${asked} --probes ${other} --budget 1000 --method keep-last --all`;
  const { exit, out } = await evaluate(`${line} ${session} ${session}`);
  expect(exit).toBe(0);
  expect(out).toMatch(/all \(4\) +50\.0\n/);
  expect(out).toMatch(/ports \(3\) +33\.3\n {2}work \(1\) +100\.0\n/);
  expect((await evaluate(line)).out).toBe(out);
});

test('--json has each answer, --context each context as it was read', async () => {
  const { asked, session } = await files();
  const into = join(await folder(), 'contexts');
  const line = `--probes ${asked} ${session} --budget 1k --method keep-last --json --context ${into}`;
  const { exit, out } = await evaluate(line);
  expect(exit).toBe(0);
  const { schema, totals, results } = JSON.parse(out) as {
    readonly schema: string;
    readonly totals: readonly object[];
    readonly results: readonly object[];
  };
  expect(schema).toBe('flamestack.probes/1');
  expect(totals).toMatchObject([
    { method: 'keep-last', budget: 1_024, all: { kept: 1, of: 3 }, kinds: { state: { kept: 1 } } },
  ]);
  expect(results).toMatchObject([
    {
      session,
      answers: [
        { id: 'p1', standing: 'missing' },
        { id: 'p2', standing: 'near' },
        { id: 'p3', standing: 'missing' },
      ],
    },
  ]);
  const text = await readFile(join(into, 'ports.keep-last.1024.txt'), 'utf8');
  expect(text).toContain('[assistant]\nAll parts are read.');
});

test.each([
  ['--context there', '--context is for --probes'],
  ['--probes a.json one two', 'one session file for each'],
  ['--probes', 'argument missing'],
])('%s is wrong usage', async (line, message) => {
  const { exit, err } = await evaluate(line);
  expect(exit).toBe(2);
  expect(err).toContain(message);
});

test('a probe file that cannot be read is told', async () => {
  const { exit, err } = await evaluate(`--probes ${await file('a.json', '{}')}`);
  expect(exit).toBe(1);
  expect(err).toContain('"a.json" cannot be read as a probe file');
});
