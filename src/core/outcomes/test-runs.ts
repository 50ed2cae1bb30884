import { withoutRedirections } from '../commands/shell-words.ts';

// Which tests a command runs, as far as its words tell: by which runner, where, with which options, and
// limited to what. A run that passed covers one that failed where it runs all that this did; what is not
// certain is not covered.
//
//   vitest run test/a.test.ts -t "logs in"   of vitest: in test/a.test.ts what is called so
//   cargo test -p core parses                of cargo, with -p core: what is called so
//   npm test                                 of the script `test`: all of it

/** One run of tests. */
export interface TestRun {
  /** The program, or the script of the project: `vitest`, `cargo test`, `script test`. */
  readonly runner: string;
  /** Options that may change what is run or how it ends, in order. */
  readonly options: readonly string[];
  /** Files, folders or names of which any is run; none for all there are. */
  readonly files: readonly string[];
  /** Options that limit what is run of these. */
  readonly limits: readonly string[];
}

/** Programs that run tests, by the words that name them. */
const runners = [
  'vitest',
  'jest',
  'mocha',
  'ava',
  'pytest',
  'rspec',
  'phpunit',
  'cargo test',
  'cargo nextest run',
  'go test',
  'mix test',
  'bun test',
  'deno test',
  'node --test',
].map((name) => name.split(' '));

/** Words before a program that run it as it is. */
const wrapper =
  /^(?:npx|bunx|env|time|exec|dlx|--yes|-y|--no-install|(?:CI|NO_COLOR|FORCE_COLOR|TERM|RUST_BACKTRACE)=.*)$/;

/** Pairs of words that do so, too; `*` is any word. */
const wrappers: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:uv|poetry|pipenv|hatch|pdm)$/, /^run$/],
  [/^python3?$/, /^-m$/],
  [/^bundle$/, /^exec$/],
  [/^timeout$/, /^\d+[smh]?$/],
];

/** Options that change only what is shown and when a run ends, by themselves and with a value behind them. */
const shows =
  /^(?:--run|--watch(?:All)?=false|--no-watch|--reporters?=.*|--bail(?:=.*)?|-x|-v+|--verbose|-q+|--quiet|--silent|-s|--(?:no-)?colors?(?:=.*)?|--(?:no-)?coverage|--tb=.*|-r[A-Za-z]+|--maxfail=.*|--no-header|--nocapture|--no-capture|--no-fail-fast|--ci|--runInBand|--test-threads=.*|-count=1|--passWithNoTests|--)$/;
const showsBy = /^(?:--reporters?|--tb|--maxfail)$/;

/** Options that limit what is run, by themselves and by a value behind them; and others that have a value. */
const limits = /^(?:--lib|--doc|--bins|(?:-run|--testNamePattern|--test-name-pattern|--grep)=.*)$/;
const limitsBy =
  /^(?:-t|--testNamePattern|--test-name-pattern|-k|-g|--grep|-run|--test|--bin|--example)$/;
const setsBy =
  /^(?:-p|--package|-w|--workspace|--filter|--prefix|-C|--features|--manifest-path|--target|-c|--config|--project|-m|-n|--root|--dir|--exclude|--ignore|--skip)$/;

/** The run of tests that a command is; null for another command. */
export function testRunIn(command: readonly string[]): TestRun | null {
  const words = withoutRedirections(command);
  let at = 0;
  for (let before = -1; before !== at;) {
    before = at;
    if (wrapper.test(words[at] ?? '')) at += 1;
    for (const [one, next] of wrappers)
      if (one.test(words[at] ?? '') && next.test(words[at + 1] ?? '')) at += 2;
    if (/^(?:pnpm|yarn|bun)$/.test(words[at] ?? '') && runnerAt(words, at + 1) !== null) at += 1;
    if (/^(?:pnpm|yarn)$/.test(words[at] ?? '') && /^(?:exec|dlx)$/.test(words[at + 1] ?? ''))
      at += 2;
  }
  const runner = runnerAt(words, at) ?? scriptAt(words, at);
  return runner === null
    ? null
    : { runner: runner.name, ...parseArguments(words.slice(runner.end)) };
}

interface Named {
  readonly name: string;
  /** Where what it is given begins. */
  readonly end: number;
}

/** The program that runs tests whose name begins at a word. */
function runnerAt(words: readonly string[], at: number): Named | null {
  const runner = runners.find((name) => name.every((word, index) => words[at + index] === word));
  if (runner === undefined) return null;
  const end = at + runner.length;
  return {
    name: runner.join(' '),
    end: runner[0] === 'vitest' && words[end] === 'run' ? end + 1 : end,
  };
}

/** The script of the project that a package manager runs; with options of its own it may be that of another package. */
function scriptAt(words: readonly string[], at: number): Named | null {
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(words[at] ?? '')) return null;
  const name = /^run(?:-script)?$/.test(words[at + 1] ?? '') ? at + 2 : at + 1;
  const script = words[name] === 't' ? 'test' : (words[name] ?? '');
  return /^(?:test|tests?:[\w:-]{1,40})$/.test(script)
    ? { name: `script ${script}`, end: name + 1 }
    : null;
}

function parseArguments(words: readonly string[]): Omit<TestRun, 'runner'> {
  const [options, files, limited]: [string[], string[], string[]] = [[], [], []];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const pair = `${word} ${words[at + 1] ?? ''}`;
    if (limits.test(word)) limited.push(word);
    else if (limitsBy.test(word)) limited.push(pair);
    else if (setsBy.test(word)) options.push(pair);
    else if (!word.startsWith('-')) files.push(plainPath(word));
    else if (!shows.test(word) && !showsBy.test(word)) options.push(word);
    if (limitsBy.test(word) || setsBy.test(word) || showsBy.test(word)) at += 1;
  }
  return { options, files: files.includes('') ? [] : files, limits: limited };
}

/** A path as it stands beside others; '' for the folder in which it is run. */
const plainPath = (word: string): string =>
  word.replace(/^\.(?:\/|$)/, '').replace(/(?<=.)\/$/, '');

/** Whether a run runs all that another does. */
export function covers(wide: TestRun, narrow: TestRun): boolean {
  if (wide.runner !== narrow.runner) return false;
  if (wide.options.join(' ') !== narrow.options.join(' ')) return false;
  if (!wide.limits.every((one) => narrow.limits.includes(one))) return false;
  const isIn = wide.runner === 'go test' ? isInPackages : isWithin;
  // Without packages Go runs that of its folder alone.
  const [all, some] =
    wide.runner === 'go test'
      ? [wide, narrow].map(({ files }) => (files.length === 0 ? [''] : files))
      : [wide.files, narrow.files];
  if (all!.length === 0) return true;
  return some!.length > 0 && some!.every((file) => all!.some((one) => isIn(file, one)));
}

/** Whether a file, or a test in it, is one or lies in it. */
const isWithin = (file: string, one: string): boolean =>
  file === one || (file.startsWith(one) && /^(?:\/|::|:\d)/.test(file.slice(one.length)));

const isInPackages = (file: string, one: string): boolean =>
  file === one ||
  (one.endsWith('...') && (one === '...' || isWithin(file, one.slice(0, -'/...'.length))));
