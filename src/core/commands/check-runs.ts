import { isCheck } from './checks.ts';
import { withoutRedirections } from './shell-words.ts';

// What a command checks, as far as its words tell: by which program, where, with which options, and
// limited to what. A run that passed covers one that failed where it checks all that this did; what is not
// certain is not covered.
//
//   vitest run test/a.test.ts -t "logs in"   of vitest: in test/a.test.ts what is called so
//   cargo test -p core parses                of cargo, with -p core: what is called so
//   npm test                                 of the script `test`: all of it
//   eslint src                               of eslint: what lies in src

/** One run of a check. */
export interface CheckRun {
  /** The program, or the script of the project: `vitest`, `cargo test`, `script test`. */
  readonly runner: string;
  /** Options that may change what is run or how it ends, in order. */
  readonly options: readonly string[];
  /** Files, folders or names of which any is run; none for all there are. */
  readonly files: readonly string[];
  /** Options that limit what is run of these. */
  readonly limits: readonly string[];
  /** Whether it is a check that is known, and whether it runs tests. */
  readonly isCheck: boolean;
  readonly isTest: boolean;
}

const namesOf = (...names: readonly string[]): readonly (readonly string[])[] =>
  names.map((name) => name.split(' '));

/** Programs that run tests, by the words that name them. */
const testers = namesOf(
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
);

/** Programs that check or build. */
const checkers = namesOf(
  'tsc',
  'tsgo',
  'vue-tsc',
  'eslint',
  'oxlint',
  'biome check',
  'biome lint',
  'prettier --check',
  'ruff check',
  'ruff format --check',
  'mypy',
  'pyright',
  'flake8',
  'pylint',
  'rubocop',
  'phpstan',
  'shellcheck',
  'golangci-lint run',
  'staticcheck',
  'go build',
  'go vet',
  'cargo build',
  'cargo check',
  'cargo clippy',
  'cargo fmt --check',
  'mix compile',
  'mix credo',
  'mix dialyzer',
  'deno check',
  'deno lint',
);

/** What a program has done, too, where it has passed with the same options: to test a package builds it. */
const proves: Readonly<Record<string, readonly string[]>> = {
  'go test': ['go build'],
  'cargo test': ['cargo build', 'cargo check'],
  'cargo clippy': ['cargo check'],
  'cargo build': ['cargo check'],
};

/** Programs that are given packages by their folders, `./...` for all below; without any that of their folder alone. */
const ofPackages = /^(?:go |golangci-lint|staticcheck)/;

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

/** The check that a command is; null for another command. */
export function checkRunIn(command: readonly string[]): CheckRun | null {
  const words = withoutRedirections(command);
  let at = 0;
  for (let before = -1; before !== at;) {
    before = at;
    if (wrapper.test(words[at] ?? '')) at += 1;
    for (const [one, next] of wrappers)
      if (one.test(words[at] ?? '') && next.test(words[at + 1] ?? '')) at += 2;
    if (/^(?:pnpm|yarn|bun)$/.test(words[at] ?? '') && programAt(words, at + 1) !== null) at += 1;
    if (/^(?:pnpm|yarn)$/.test(words[at] ?? '') && /^(?:exec|dlx)$/.test(words[at + 1] ?? ''))
      at += 2;
  }
  const program = programAt(words, at) ?? scriptAt(words, at);
  if (program === null) return null;
  const { name, end, isTest } = program;
  return { runner: name, isTest, isCheck: true, ...parseArguments(words.slice(end)) };
}

/** What a call does beside its checks: nothing else is known to do the same. */
export const commandRun = (command: readonly string[]): CheckRun => ({
  runner: `command ${withoutRedirections(command).join(' ')}`,
  options: [],
  files: [],
  limits: [],
  isCheck: false,
  isTest: false,
});

interface Named {
  readonly name: string;
  /** Where what it is given begins. */
  readonly end: number;
  readonly isTest: boolean;
}

/** The program that checks whose name begins at a word. */
function programAt(words: readonly string[], at: number): Named | null {
  const isHere = (name: readonly string[]): boolean =>
    name.every((word, index) => words[at + index] === word);
  const tester = testers.find(isHere);
  const program = tester ?? checkers.find(isHere);
  if (program === undefined) return null;
  const end = at + program.length;
  return {
    name: program.join(' '),
    end: program[0] === 'vitest' && words[end] === 'run' ? end + 1 : end,
    isTest: tester !== undefined,
  };
}

/** Programs that run a script of the project by its name, and those that have commands of their own, too. */
const managers = /^(?:npm|pnpm|yarn|bun)$/;
const taskRunners = /^(?:mise|just|task|make|rake)$/;

/** The script of the project that a command runs; with options of its own it may be that of another package. */
function scriptAt(words: readonly string[], at: number): Named | null {
  const program = words[at] ?? '';
  const isManager = managers.test(program);
  if (!isManager && !taskRunners.test(program)) return null;
  const isRun = /^(?:run(?:-script)?|r)$/.test(words[at + 1] ?? '');
  if (program === 'mise' && !isRun) return null;
  const name = isRun ? at + 2 : at + 1;
  const script = words[name] === 't' ? 'test' : (words[name] ?? '');
  const isTest = /^(?:test|tests?:[\w:-]{1,40})$/.test(script);
  if (!/^[\w:.-]{1,60}$/.test(script) || script.startsWith('-')) return null;
  if (isManager ? !isTest && !isRun : !isCheck(script)) return null;
  return { name: `script ${script}`, end: name + 1, isTest };
}

/** What a program is given. */
function parseArguments(words: readonly string[]): Pick<CheckRun, 'options' | 'files' | 'limits'> {
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

/** Whether a run checks all that another does. */
export function covers(wide: CheckRun, narrow: CheckRun): boolean {
  const { runner } = narrow;
  if (wide.runner !== runner && proves[wide.runner]?.includes(runner) !== true) return false;
  if (wide.options.toSorted().join(' ') !== narrow.options.toSorted().join(' ')) return false;
  if (!wide.limits.every((one) => narrow.limits.some((other) => allows(one, other)))) return false;
  const isOfPackages = ofPackages.test(runner);
  const [all, some] = [wide, narrow].map(({ files }) =>
    isOfPackages && files.length === 0 ? [''] : files,
  );
  if (all!.length === 0) return true;
  const isIn = isOfPackages ? isInPackages : isWithin;
  return some!.length > 0 && some!.every((file) => all!.some((one) => isIn(file, one)));
}

/** Whether a limit lets through all that another does: of names by a part of them, `-run "A|B"`. */
function allows(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  const [one, other] = [wide, narrow].map((limit) => byName.exec(limit));
  if (!one || !other || one[1] !== other[1]) return false;
  const parts = one[2]!.split('|');
  return other[2]!
    .split('|')
    .every((name) =>
      parts.some((part) => name === part || (plain.test(part) && name.includes(part))),
    );
}

/** A limit by a pattern that names have to match anywhere, and a part of one that stands for itself. */
const byName =
  /^(-run|-t|-g|--grep|--testNamePattern|--test-name-pattern)[ =](?:"|')?(.{1,400}?)(?:"|')?$/;
const plain = /^[\w -]{1,200}$/;

/** Whether a file, or a test in it, is one or lies in it. */
const isWithin = (file: string, one: string): boolean =>
  file === one || (file.startsWith(one) && /^(?:\/|::|:\d)/.test(file.slice(one.length)));

const isInPackages = (file: string, one: string): boolean =>
  file === one ||
  (one.endsWith('...') && (one === '...' || isWithin(file, one.slice(0, -'/...'.length))));
