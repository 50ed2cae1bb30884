import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sections } from '../../../src/index.ts';
import { paperOf } from '../../../src/cli/paper/paper.ts';
import { number } from '../../../src/cli/paper/size.ts';
import { main } from '../../../tools/eval/cli/program.ts';
import { evalDocument } from '../../../tools/eval/cli/html/eval-document.ts';
import { totalsOf, type Result, type Total } from '../../../tools/eval/evaluation.ts';
import { emptyTally, type Tally } from '../../../tools/eval/tally.ts';
import { run, type Told } from '../../cli/call.ts';
import { hasBrowser, openBrowser, wrongIn } from '../../e2e/pages/browser.ts';
import { assistant, call, fileOf, filler, result, user } from './session.ts';

// The page of an evaluation: it has the numbers that `--json` has, whatever they are, and is a document
// that runs nothing and asks nobody.

const key = `ghp_${'aB3cD4eF5gH6'.repeat(3)}`;

const evaluate = (line: string): Promise<Told> => run(main, line);

const leading = {
  'Far references': 'far',
  Directives: 'directives',
  'Copied spans': 'spans',
  'Same start': 'prefix',
} as const;

/** Work longer than 1,000 tokens, in which something is needed again at the end. */
const lines = [
  user('Never rename openBranch in src/core/tree.ts, please. <img src=x onerror=alert(1)>'),
  user(`Never print ${key} anywhere.`),
  ...Array.from({ length: 12 }, (_, n) => [
    assistant(`Part ${n}.`, call(`c${n}`, 'read', { path: `src/part-${n}.ts` })),
    result(`c${n}`, filler(150)),
  ]).flat(),
  assistant('Back to openBranch in src/core/tree.ts. Which port was it?'),
];

const text = (markup: string): string =>
  markup.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The rows of a drawn table under a title: a name, and the numbers beside it. */
function rowsIn(html: string, title: string): readonly (readonly string[])[] {
  const table = /<table class="dots"[^]*?<\/table>/.exec(
    html.slice(html.indexOf(`<h3>${title}`)),
  )![0];
  return table
    .split('<tr')
    .slice(2)
    .map((row) =>
      [...row.matchAll(/<th scope="row">(.*?)<\/th>|<\/svg><\/td>|<td>([^<]*)<\/td>/g)]
        .map(([, name, value]) => name ?? value)
        .filter((cell) => cell !== undefined)
        .map(text),
    );
}

const shown = (rate: number | null): string => (rate === null ? '–' : (100 * rate).toFixed(1));

/** What the page must have of each method: the leading rates, and how often it breaks a rule. */
function expectNumbers(html: string, totals: readonly Total[]): void {
  const methods = [...new Set(totals.map(({ method }) => method))];
  const windows = [...new Set(totals.map(({ budget }) => budget))].sort(
    (one, other) => one - other,
  );
  const rows = (of: (total: Total) => string): readonly (readonly string[])[] =>
    methods.map((method) => [
      method,
      ...windows.map((window) =>
        of(totals.find((one) => one.method === method && one.budget === window)!),
      ),
    ]);
  for (const [title, name] of Object.entries(leading))
    expect(rowsIn(html, title)).toEqual(rows(({ rates }) => shown(rates[name])));
  expect(rowsIn(html, 'Broken contexts')).toEqual(
    rows(({ tally: { faults, brokenLogs } }) =>
      number(Object.values(faults).reduce((sum, one) => sum + one, brokenLogs ?? 0)),
    ),
  );
}

/** What the page must have of the first method: the yield of each section within each window. */
function expectOwnNumbers(html: string, totals: readonly Total[]): void {
  const own = totals
    .filter(({ method }) => method === totals[0]!.method)
    .sort((one, other) => one.budget - other.budget);
  const tables = [...html.matchAll(/<table class="bars">[^]*?<\/table>/g)].map(([table]) =>
    [...table.matchAll(/<th scope="row">(\w+)<.*<td>([^<]*)<\/td><\/tr>/g)].map((row) =>
      row.slice(1),
    ),
  );
  expect(tables).toEqual(
    own.map(({ rates }) =>
      sections.flatMap((section) => {
        const rate = rates.yield[section];
        return rate === null ? [] : [[section, shown(rate)]];
      }),
    ),
  );
}

/** Elements that are open where they should be closed, or the other way round. */
function unbalanced(html: string): readonly string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const bare = html.replace(/<style>[^]*?<\/style>/, '');
  for (const [, end, name, rest] of bare.matchAll(/<(\/?)([a-z]\w*)((?:"[^"]*"|[^">])*)>/g)) {
    if (end === '/') {
      if (open.pop() !== name) wrong.push(name!);
    } else if (!/^(?:meta|link)$/.test(name!) && !rest!.endsWith('/')) open.push(name!);
  }
  return [...wrong, ...open];
}

const share = fc
  .tuple(fc.nat(1_000), fc.nat(1_000))
  .map(([one, other]) => ({ kept: Math.min(one, other), of: Math.max(one, other) }));

/** Counts of any kind, which need not go together. */
const tally: fc.Arbitrary<Tally> = fc
  .record({
    contexts: fc.nat(500),
    far: share,
    spans: share,
    directives: share,
    prefix: share,
    yield: fc.record(Object.fromEntries(sections.map((section) => [section, share]))),
    tokens: fc.nat(9_000_000),
    greatest: fc.nat(40_000),
    faults: fc.record(
      Object.fromEntries(
        Object.keys(emptyTally.faults).map((name) => [name, fc.oneof(fc.constant(0), fc.nat(300))]),
      ),
    ),
    brokenLogs: fc.constantFrom(null, 0, 1),
  })
  .map((some) => ({ ...emptyTally, ...some }) as unknown as Tally);

const name = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('</script><b>', '"><img src=x>', '&amp;', '\u202erm', '\u001b[31mred'),
);

const results: fc.Arbitrary<readonly Result[]> = fc
  .record({
    methods: fc.uniqueArray(fc.stringMatching(/^[a-z<>&"]{1,9}(?:-[a-z]{1,9})?$/), {
      minLength: 1,
      maxLength: 7,
    }),
    budgets: fc.uniqueArray(fc.integer({ min: 1_000, max: 200_000 }), {
      minLength: 1,
      maxLength: 6,
    }),
    tallies: fc.array(tally, { minLength: 1, maxLength: 9 }),
    course: fc.array(fc.nat(50_000), { maxLength: 1_200 }),
    lost: fc.array(
      fc.record({
        type: fc.constant('directive' as const),
        text: name,
        kind: fc.constant(null),
        times: fc.integer({ min: 1, max: 9 }),
      }),
    ),
  })
  .map(({ methods, budgets, tallies, course, lost }) =>
    budgets.flatMap((budget, row) =>
      methods.map((method, column) => ({
        file: 'a.jsonl',
        method,
        budget,
        tally: tallies[(row * methods.length + column) % tallies.length]!,
        lost,
        course,
      })),
    ),
  );

test('it has the numbers of any evaluation, and is whole whatever was measured', () => {
  const paper = paperOf({ write: () => true }, {}, {});
  fc.assert(
    fc.property(results, name, (found, file) => {
      const totals = totalsOf(found);
      const subject = {
        file: file.replaceAll('/', ''),
        session: 's',
        format: 'pi',
        entries: 3,
        frames: 1,
        tokens: 9,
        skipped: 0,
      };
      const methods = [...new Set(found.map(({ method }) => method))].map((one) => ({
        name: one,
        about: file,
        begin: () => Promise.reject(new Error('not played')),
      }));
      const html = evalDocument(
        { evaluations: [{ subject, results: found }], totals, methods, frames: true },
        paper,
      );
      expectNumbers(html, totals);
      expectOwnNumbers(html, totals);
      expect(unbalanced(html)).toEqual([]);
      expect(html).not.toMatch(/NaN|undefined|Infinity|<img|<script|<b>.*<b>|[\u001b\u202e]/);
    }),
    { numRuns: 60 },
  );
});

/** An evaluation of two windows, and the page that it writes. */
async function written(options: string): Promise<{
  readonly html: string;
  readonly file: string;
  readonly told: Told;
}> {
  const session = await fileOf(lines);
  const file = join(dirname(session), 'report.html');
  const probes = join(dirname(session), 'ports.json');
  const asked = [
    { id: 'p1', kind: 'exact', q: 'Which?', gold: 'openBranch', keys: ['openBranch'] },
    { id: 'p2', kind: 'state <b>', q: 'Where?', gold: 'src/core', keys: ['src/core/tree.ts'] },
  ];
  const cut = { messages: 26 };
  await writeFile(probes, JSON.stringify({ session: 'session.jsonl', cut, probes: asked }));
  const input = options.includes('--probes') ? options.replace('PROBES', probes) : options;
  const told = await evaluate(
    `${input.includes('--probes') ? '' : session} ${input} --budget 1000,2k --html ${file}`,
  );
  expect(told.err).not.toMatch(/^flamestack:/);
  return { html: await readFile(file, 'utf8'), file, told };
}

test('--html writes the page beside what is printed, with the numbers of --json', async () => {
  const { html, told } = await written('--json');
  expect([told.exit, told.err]).toEqual([0, '']);
  const { totals, results: each } = JSON.parse(told.out) as {
    readonly totals: readonly Total[];
    readonly results: readonly object[];
  };
  expectNumbers(html, totals);
  expectOwnNumbers(html, totals);
  for (const { method, budget, tally: all } of totals)
    if (method === 'flamestack')
      expect(html).toContain(
        `Tokens of ${all.contexts} contexts within ${number(budget)}: at most ${number(all.greatest)}`,
      );
  expect(Object.keys(each[0]!)).toEqual(['file', 'method', 'budget', 'tally', 'lost']);
  expect(html).toMatch(
    /content="default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src data:; base-uri 'none'; form-action 'none'"/,
  );
  const { html: lost } = await written('--method keep-last');
  expect(lost).toContain('Out of view: &#34;Never rename openBranch');
  expect(lost).toContain('Out of view: &#34;Never print [redacted GitHub token] anywhere.');
  expect(lost).not.toContain(key);
  const { told: printed, file } = await written('--method flamestack');
  expect(printed.out).toContain('Far references, in %');
  expect(printed.err).toMatch(new RegExp(`^${file}: \\d+ kB\\n$`));
});

test('the page of probes has what each method answers, in all and by kind', async () => {
  const { html, told } = await written('--probes PROBES --json');
  expect(told.exit).toBe(0);
  const { totals } = JSON.parse(told.out) as {
    readonly totals: readonly {
      readonly method: string;
      readonly budget: number;
      readonly all: { readonly kept: number; readonly of: number };
      readonly kinds: Readonly<Record<string, { readonly kept: number; readonly of: number }>>;
    }[];
  };
  const of = (method: string, budget: number): (typeof totals)[number] =>
    totals.find((one) => one.method === method && one.budget === budget)!;
  const methods = [...new Set(totals.map(({ method }) => method))];
  const rows = (pick: (total: (typeof totals)[number]) => { kept: number; of: number }) =>
    methods.map((method) => [
      method,
      ...[1_000, 2_048].map((budget) => {
        const { kept, of: all } = pick(of(method, budget));
        return shown(kept / all);
      }),
    ]);
  expect(rowsIn(html, '2 probes')).toEqual(rows(({ all }) => all));
  expect(rowsIn(html, 'exact')).toEqual(rows(({ kinds }) => kinds['exact']!));
  expect(rowsIn(html, 'state &#60;b&#62;')).toEqual(rows(({ kinds }) => kinds['state <b>']!));
  expect(unbalanced(html)).toEqual([]);
});

test('each chart says in a sentence what its own numbers are', async () => {
  const { html, told } = await written('--json --method flamestack,keep-last');
  const { totals } = JSON.parse(told.out) as { readonly totals: readonly Total[] };
  const [first, other] = ['flamestack', 'keep-last'].map((method) =>
    totals.find((one) => one.method === method && one.budget === 1_000)!,
  );
  const percent = (rate: number | null): string => `${Math.round(100 * rate!)}\u00a0%`;
  const said = text(/<h3>Directives, in %<\/h3><p>(.*?)<\/p>/.exec(html)![1]!);
  expect(said).toContain(
    `Within 1,000 tokens flamestack has ${percent(first!.rates.directives)} of the directives in view`,
  );
  expect(first!.rates.directives).toBeGreaterThan(other!.rates.directives!);
  expect(said).toMatch(
    /No other method has more; keep-last (?:has as much|comes nearest with \d+\u00a0%) within/,
  );
  expect(said).toContain('Few were asked for (');
  expect(html.match(/<figure/g)).toHaveLength(
    html.match(/<figcaption><h3>.+?<\/h3><p>.+?</g)!.length,
  );
});

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await openBrowser()), 30_000);
  afterAll(() => browser.close());

  test.each(['', '--probes PROBES'])(
    'it fits every screen, light and dark, says nothing to the console and asks nobody (%s)',
    async (options) => {
      const { file } = await written(options);
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ colorScheme });
        onTestFinished(() => page.close());
        const link = pathToFileURL(file).href;
        const wrong = wrongIn(page, link);
        await page.goto(link);
        for (const width of [400, 800, 1_200]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        }
        const [ink, paper] = await page.evaluate<readonly string[]>(
          '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
        );
        const isDark = colorScheme === 'dark';
        expect(light(ink!) > light(paper!)).toBe(isDark);
        expect(wrong).toEqual([]);
        const tables = page.getByRole('table', { name: /, in %$/ });
        expect(await tables.count()).toBeGreaterThan(2);
        expect(await tables.first().getByRole('rowheader').first().textContent()).toBe(
          'flamestack',
        );
      }
    },
    60_000,
  );
});

const light = (color: string): number =>
  color
    .match(/\d+/g)!
    .slice(0, 3)
    .reduce((sum, part) => sum + Number(part), 0);
