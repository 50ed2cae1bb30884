import { expect, test } from 'vitest';
import { number } from '../../../src/cli/paper/size.ts';
import { main } from '../../../tools/eval/cli/program.ts';
import { file, run, type Surroundings, type Told } from '../../cli/call.ts';
import { assistant, call, fileOf, filler, pop, push, result, user } from './session.ts';

const evaluate = (line: string, around?: Surroundings): Promise<Told> => run(main, line, around);

/** Work longer than 1,000 tokens, in which a name is needed again at the end. */
const lines = [
  user('Never rename openBranch in src/core/tree.ts, please.'),
  push('Read'),
  ...Array.from({ length: 12 }, (_, n) => [
    assistant(`Part ${n}.`, call(`c${n}`, 'read', { path: `src/part-${n}.ts` })),
    result(`c${n}`, filler(150)),
  ]).flat(),
  pop('read'),
  assistant('Back to openBranch in src/core/tree.ts. The value is \u001b[31mred_herring.'),
];

const words = (text: string): string => text.replace(/\s+/g, ' ');

test('--all prints a page of 80 columns that says what was kept, lost and broken', async () => {
  const { exit, out, err } = await evaluate(`${await fileOf(lines)} --budget 1000,2k --all`);
  expect([exit, err]).toEqual([0, '']);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(out).toMatch(/^session\.jsonl  flamestack, 26 messages, [\d,]+ tokens, 1 frame\n/);
  expect(out).toContain('── within 1,000 tokens ──');
  expect(out).toContain('── within 2,048 tokens ──');
  expect(out).toMatch(/far references +\d+\.\d +0\.0/);
  expect(out).toMatch(/Used again, in %\n(?: {2}\w+ .*\n)* {2}working +\d+\.\d +\d+\.\d/);
  expect(words(out)).toContain('13 assistant messages a context was made');
  expect(words(out)).toContain('directives sentences of people with');
  expect(words(out)).toContain('keep-last the newest messages that fit');
  expect(out).not.toContain('\u001b');
});

test('unless told otherwise it prints the few numbers that matter, on one screen', async () => {
  const path = await fileOf(lines);
  const line = `${path} --budget 1000,2k,4k`;
  const { exit, out, err } = await evaluate(line);
  expect(exit).toBe(0);
  expect(err).toBe(
    '--all: every measure, what was lost, what the words mean; --html <file>: charts\n',
  );
  expect((await evaluate(`${line} --quiet`)).err).toBe('');
  const printed = out.trimEnd().split('\n');
  expect(printed.length).toBeLessThanOrEqual(23);
  expect(Math.max(...printed.map((one) => one.length))).toBeLessThanOrEqual(80);
  const { totals } = JSON.parse((await evaluate(`${line} --json`)).out) as {
    readonly totals: readonly {
      readonly budget: number;
      readonly method: string;
      readonly rates: Readonly<Record<string, number | null>>;
    }[];
  };
  const measures = { far: 'Far references', directives: 'Directives', spans: 'Copied spans' };
  for (const [name, title] of Object.entries({ ...measures, prefix: 'Same start' })) {
    const from = printed.indexOf(`${title}, in %`);
    for (const [row, budget] of [1_000, 2_048, 4_096].entries()) {
      const shown = totals
        .filter((total) => total.budget === budget)
        .map(({ rates }) => (rates[name] === null ? '-' : (100 * rates[name]!).toFixed(1)));
      expect(printed[from + 1 + row]!.trim().split(/ +/)).toEqual([number(budget), ...shown]);
    }
  }
  expect(out).toContain('Broken contexts: flamestack 0');
});

test('of many files it says how many there are', async () => {
  const paths = [await fileOf(lines), await fileOf(lines.slice(0, 9)), await fileOf(lines)];
  const { out } = await evaluate(`${paths.join(' ')} --budget 1000`);
  expect(out).toMatch(/^3 files, 60 messages, [\d,]+ tokens\n/);
  expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
});

test('on a terminal the best values are bold, without color they are not', async () => {
  const path = await fileOf(lines);
  const line = `${path} --budget 1000 --method flamestack,keep-last`;
  expect((await evaluate(line, { isTTY: true })).out).toContain('\u001b[1m');
  expect((await evaluate(`${line} --no-color`, { isTTY: true })).out).not.toContain('\u001b[1m');
});

test('columns that are too many for a narrow terminal go below', async () => {
  const { out } = await evaluate(`${await fileOf(lines)} --budget 1000 --all`, {
    isTTY: true,
    columns: 50,
    env: { NO_COLOR: '1' },
  });
  const table = out.split('── what the words mean')[0]!.split('\n');
  expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(50);
  expect(out.match(/far references {2,}\d/g)).toHaveLength(2);
});

test('a budget or a file that is given twice is measured once', async () => {
  const path = await fileOf(lines);
  const line = (files: string, budgets: string): string =>
    `${files} --budget ${budgets} --method keep-last --json`;
  const once = JSON.parse((await evaluate(line(path, '2k'))).out) as { totals: unknown[] };
  const twice = JSON.parse((await evaluate(line(`${path} ${path}`, '2k,2048'))).out) as {
    totals: unknown[];
    results: unknown[];
  };
  expect([twice.totals.length, twice.results.length]).toEqual([once.totals.length, 1]);
});

test('what a method loses is named', async () => {
  const line = `${await fileOf(lines)} --budget 1000 --method keep-last --all`;
  const { out } = await evaluate(line);
  expect(words(out)).toMatch(/keep-last lost 2 far references: path 1 of 1, identifier 1 of 1\./);
  expect(words(out)).toMatch(/Missed most: (core\/tree.ts, openBranch|openBranch, core\/tree.ts)/);
  expect(out).toContain('Out of view: "Never rename openBranch in src/core/tree.ts, please."\n');
});

test('eval tells scripts everything, file by file and together', async () => {
  const paths = [await fileOf(lines), await fileOf(lines.slice(0, 9))];
  const { out } = await evaluate(`${paths.join(' ')} --budget 1000 --json`);
  const told = JSON.parse(out) as {
    totals: { method: string; rates: object; tally: { contexts: number } }[];
    results: { file: string; method: string; tally: { contexts: number } }[];
  };
  expect(told).toMatchObject({
    schema: 'flamestack.eval/1',
    budgets: [1_000],
    flat: false,
    subjects: [{ entries: 26, frames: 1 }, { entries: 8 }],
  });
  const names = [
    'flamestack',
    'keep-last',
    'head-tail',
    'clear-results',
    'prune-calls',
    'user-first',
  ];
  expect(told.totals.map(({ method }) => method)).toEqual(names);
  expect(told.results).toHaveLength(12);
  const contexts = told.results
    .filter(({ method }) => method === 'keep-last')
    .map(({ tally }) => tally.contexts);
  expect(told.totals[1]!.tally.contexts).toBe(contexts[0]! + contexts[1]!);
  expect(told.totals[0]!.rates).toMatchObject({
    far: expect.any(Number) as unknown,
  });
});

test('options of the engine make a method of their own; the default stays as it is', async () => {
  const line = `${await fileOf(lines)} --budget 1000 --method flamestack,tuned`;
  const given = '--trigger 0.9 --preserve-recent 30% --option summaryTokens=80';
  const { exit, out } = await evaluate(`${line} ${given} --all`);
  expect(exit).toBe(0);
  expect(words(out)).toContain(
    'tuned this engine with trigger=0.9, preserveRecent=30%, summaryTokens=80',
  );
});

test('frames can be left out', async () => {
  const { out } = await evaluate(`${await fileOf(lines)} --budget 1000 --method keep-last --flat`);
  expect(out).toContain('1 frame left out');
});

test.each([
  ['', "missing required argument 'file'"],
  ['x --html -', '--html writes a file, not stdout'],
  ['x --html nowhere/at/all.html', 'cannot be written (ENOENT)'],
  ['x --html .', '"." is a folder'],
  ['x --sample 2 --section human --html a.html', '--all and --html are not for --sample'],
  ['x --budget 500', 'A budget has 1000 tokens at least'],
  ['x --budget 8k,lots', 'It takes a number of tokens'],
  ['x --method nothing', 'There is no method "nothing"; there are flamestack, keep-last'],
  ['x --method tuned', 'it needs an option'],
  ['x --method flamestack --trigger 0.9', 'add it to --method'],
  ['x --preserve-recent 200%', 'up to 100%'],
  ['x --option trigger', 'It takes a name and a value'],
  ['x --trigger 2', 'trigger'],
  ['x --option nope=1', 'There is no option "nope"'],
])('%s is wrong usage, said before a file is read', async (line, message) => {
  const { exit, out, err } = await evaluate(line);
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

test('a file that cannot be read does not stop the others, and the exit code tells', async () => {
  const bad = await file('bad.jsonl', 'not a session\n');
  const line = `${bad} ${await fileOf(lines)} --budget 1000 --method keep-last`;
  const { exit, out, err } = await evaluate(line);
  expect(exit).toBe(1);
  expect(err).toContain('is not in a known format');
  expect(out).toContain('Far references, in %');
  expect((await evaluate(bad)).out).toBe('');
});

test('an interrupt leaves nothing behind', async () => {
  const stop = AbortSignal.abort(130);
  const { exit, out, err } = await evaluate(await fileOf(lines), {
    signal: stop,
    isTTY: true,
  });
  expect([exit, out, err]).toEqual([130, '', '']);
});
