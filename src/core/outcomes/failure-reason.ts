import { clip, oneLine, withinScanLimit } from '../text/sentences.ts';
import { isHostLine, printedIn } from './printed.ts';

// Why a call failed, in the words of what it printed: the first line that names
// the cause as the usual tools print it (compilers, linters, test runners, shells),
// with the line that says where or what beside it. What only frames an output,
// summaries and echoed source say nothing.

/** How a tool prints a cause: the line of it, and the line near it that says more. */
interface CauseForm {
  readonly line: RegExp;
  /** What says more, in the lines after it. */
  readonly after?: RegExp;
  /** What says more, in a line before it. */
  readonly before?: RegExp;
  /** A line that the outputs have which it is for. */
  readonly where?: RegExp;
  /** Whether the last cause tells: what came before was caught, or only warned. */
  readonly isLast?: true;
  /** Whether a check that prints it has failed, whatever else it prints. */
  readonly isSure?: true;
  /** The test that failed, as its first group: of several the others are named, too. */
  readonly test?: RegExp;
}

const exception = /^(?:Uncaught )?(?:[A-Z]\w*\.)*[A-Z]\w*(?:Error|Exception)\b(?: \[\w+\])?: \S/;

/** A test of Go that failed. */
const failedInGo = /^--- FAIL: (\S{1,200})/;

/** Forms of causes, the surest first. */
const forms: readonly CauseForm[] = [
  // tsc, gcc, clang, javac, mypy: src/a.ts(4,2): error TS2339: …, a.c:4:2: error: …
  {
    line: /^\S+?\.\w{1,9}(?:\(\d+,\d+\)|:\d+(?::\d+)?)\s?[:-] (?:fatal )?error\b/,
    isSure: true,
  },
  // go, ruff, flake8, pylint: ./a.go:4:2: undefined: x, a.py:4:2: F401 …
  { line: /^\S+?\.\w{1,9}:\d+:\d+: (?!warning\b|note\b|info\b)\p{L}/u, isSure: true },
  // ruff: F401 [*] `os` imported but unused, and the place below
  { line: /^[A-Z]{1,4}\d{3,4} (?:\[\*\] )?\S.*[^:]$/, after: /^--> / },
  // biome: src/a.ts:4:2 lint/style/useConst ━━━, and the message below
  { line: /^\S+\.\w{1,9}:\d+:\d+ (?:lint|parse|format|assist)\b/, after: /^[×✖x!] / },
  // eslint: 4:2 error … no-unused-vars, under the file
  { line: /^\d+:\d+ error /, before: /^\/?[\w@.~/\\-]+\.\w{1,9}$/ },
  // git push
  { line: /^! \[(?:remote )?rejected\] / },
  // cargo, elixir: error[E0382]: …, error: undefined function …, and the place below
  {
    line: /^error(?:\[\w+\])?: (?!aborting|could not compile|test failed, to rerun)/,
    after: /^(?:-->|└─)/,
  },
  { line: /^\*\* \((?!Mix\)|exit|EXIT)[\w.]+\)/, after: /^\S+\.exs?:\d/ },
  // pytest: FAILED tests/a.py::test_b - AssertionError: …
  { line: /^(?:FAILED|ERROR) \S+::\S+/, isSure: true, test: /^\w+ \S+?::(\S+)/ },
  { line: /^E (?:assert|\w*Error)\b/ },
  // vitest, jest: FAIL test/a.test.ts > name, ● suite › name, and the assertion below
  {
    line: /^(?:FAIL \S+ > |[●×✗✕] .* [›>] )/,
    after: /^(?:\w*Error\b|Expected|expect\()/,
    test: /^(?:FAIL \S+ >|[●×✗✕]) (.{1,200}?)(?: \d+ ?ms)?$/,
  },
  {
    line: /^(?:FAIL|❯|×) \S+\.(?:test|spec)\.\w/,
    after: /^(?:\w*Error\b|Expected|expect\(|→ )/,
  },
  // go test, cargo test, mix test
  {
    line: /^--- FAIL: /,
    where: /^=== RUN /,
    before: /^\S+_test\.go:\d/,
    isSure: true,
    test: failedInGo,
  },
  { line: /^--- FAIL: /, after: /^\S+_test\.go:\d/, isSure: true, test: failedInGo },
  {
    line: /^test \S{1,200} \.\.\. FAILED$/,
    after: /\bpanicked at /,
    test: /^test (\S{1,200}) /,
  },
  { line: /^thread '.*' \(?.*panicked at /, after: /^(?!note:)\S.{6}/ },
  {
    line: /^\d{1,4}\) (?:test|property|doctest) /,
    after: /^(?:\*\* \(|Assertion |Expected |code: |match \(=\) failed)/,
  },
  // TAP, as bats and node print it, also behind the name of a task: not ok 6 the rows are sorted
  {
    line: /^(?:\[[\w:.-]{1,60}\] ){0,3}not ok (?:\d{1,6} |- )(?!.*# (?:TODO|SKIP)\b)/i,
    after: /^(?:\[[\w:.-]{1,60}\] ){0,3}# {1,8}`.*' failed$/,
    isSure: true,
    test: /^[^#]{0,200}?\bnot ok (?:\d{1,6} )?(?:- )?(.{1,200})$/,
  },
  // credo, dialyzer
  { line: /^┃? ?\[[FCRWD]\] [↗→↑↓⬆] /, after: /^(?:┃ ?)?\S+\.exs?:\d/ },
  { line: /^\S+\.exs?:\d+(?::\d+)?:\w+$/, after: /^\S.{8}/ },
  {
    line: /^\S+?\.\w{1,9}:\d+: .*(?:error|undefined|cannot|expected|unused|missing|invalid|got)\b/i,
  },
  // exceptions of any runtime, and shells
  { line: exception, where: /^Traceback \(most recent call last\):$/, isLast: true },
  { line: exception },
  { line: /^(?:fatal|error|Error|panic): \S.*[^:]$/ },
  { line: /(?:command not found|No such file or directory|Permission denied|permission denied)/ },
  {
    line: /^npm (?:ERR!|error) (?!code|path|A complete|errno|syscall|command|Lifecycle|workspace|location)\S.{8}/,
  },
];

const sureForms = forms.filter(({ isSure }) => isSure === true);

/** Whether a line of a check says by its form that it failed. */
export const isSureCause = (line: string): boolean =>
  sureForms.some((form) => form.line.test(line)) && !/\bwarning\b/i.test(line);

/** What says why, before what only says that something failed. */
const failureWords =
  /\b(?:[a-z]{0,40}(?:error|exception)|fail(?:ed|ure|s)?|panic|cannot|can['’]t|not found|undefined|denied|refused|invalid|not recognized|expected|unexpected|missing|no such|unknown|must|forbidden|timed? ?out|conflict|\d+ errors?)\b/i;

/** Whether a reason says that something failed. */
export const isTelling = (reason: string): boolean => failureWords.test(reason);

/** Whether a line is source code that was echoed, or only frames an output. */
const isEchoed = (line: string): boolean =>
  isHostLine(line) || echoed.test(line) || passedTest.test(line);

/** A test that passed, as TAP has it, whatever its name says of failures. */
const passedTest = /^(?:\[[\w:.-]{1,60}\] ){0,3}ok (?:\d{1,6} |- )/;

const echoed =
  /(?:[{;]$|\bthrow new\b|=>|^(?:at |import |const |return |if ?\(|\/\/|\*(?!\*)|\d+\s?[|→]|> \S+@\d|> ))|^(?:Script (?:failed|error:)|Traceback .*|npm (?:ERR!|error) (?:code|path|A complete log).*|npm (?:warn|WARN|notice) .*|<\/?tool_use_error>|\(no output\)|Command exited with code \d+|<persisted-output>|Output too large.*|Preview .*|\d+ \[main\] .*|\+ (?:CategoryInfo|FullyQualifiedErrorId) .*|At line:\d+ .*|.*: fork: retry: .*)$/;

/** A line that only announces what follows, or sums up. */
const summing =
  /:$|^(?:Found \d+ (?:error|problem)|\d+ (?:error|problem|test)s?\b|Tests?:|Test (?:Files|Suites))/i;

/** A cause that only says that something was not true, while another may say what. */
const bare = /\bassert False$/;

/** A program that is not there, which a shell says before all that fails for it. */
const lacks = /(?:exec: )?[\w./+-]{1,60}: (?:command )?not found$/;

/** Most lines after a cause that are searched for what says more. */
const near = 14;

/** Longest reason, in UTF-16 units. */
const longest = 220;

/** What an output says of why it failed; '' where it says nothing. */
export function reasonIn(text: string): string {
  const all = withinScanLimit(printedIn(text).text)
    .split(/(?:[\r\n]|\\n)+/, 4_000)
    .map((line) => oneLine(line.replace(/<\/?tool_use_error>/g, '')));
  const hasFitLength = (line: string): boolean => line.length > 6 && line.length < 500;
  for (const { line, after, before, where, test, isLast = false } of forms) {
    if (where !== undefined && !all.some((one) => where.test(one))) continue;
    const isCause = (one: string): boolean => hasFitLength(one) && line.test(one) && !isEchoed(one);
    const first = isLast ? all.findLastIndex(isCause) : all.findIndex(isCause);
    if (first < 0) continue;
    const says = bare.test(all[first]!)
      ? all.findIndex((one) => isCause(one) && !bare.test(one))
      : first;
    const at = says < 0 ? first : says;
    const next = after && all.slice(at + 1, at + 1 + near).find((one) => after.test(one));
    const last = before && all.slice(0, at).findLast((one) => before.test(one));
    const reason = [last, tidy(all[at]!), next && tidy(next)].filter(Boolean).join(' ');
    const lacking = all
      .slice(0, at)
      .map((one) => lacks.exec(one)?.[0])
      .find(Boolean);
    const others = test === undefined ? '' : otherTests(all.filter(isCause), all[at]!, test);
    return `${clip(lacking === undefined ? reason : `${lacking}; ${reason}`, longest)}${others}`;
  }
  const lines = all.filter((line) => hasFitLength(line) && !isEchoed(line));
  const details = lines.filter((line) => !summing.test(line));
  const short =
    details.find((one) => failureWords.test(one)) ?? details.findLast(isTrouble) ?? lines[0];
  return clip(short ?? all.find((one) => failureWords.test(one.slice(0, longest))) ?? '', longest);
}

/** Most tests that are named beside the first one that failed. */
const mostTests = 3;

/** The other tests that failed, as lines of an output name them; '' for none. */
function otherTests(lines: readonly string[], first: string, test: RegExp): string {
  const nameOf = (line: string): string =>
    clip((test.exec(line)?.[1] ?? '').replace(/^\S{1,200}\.(?:test|spec)\.\w{1,4} > /, ''), 60);
  const firstName = nameOf(first);
  const names = [...new Set(lines.map(nameOf))].filter(
    (name) => name !== '' && name !== firstName && !firstName.startsWith(`${name}/`),
  );
  if (names.length === 0) return '';
  const more = names.length - mostTests;
  return `; also ${names.slice(0, mostTests).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whether a line may say what went wrong: tools end with that, and none of it is praise. */
const isTrouble = (line: string): boolean =>
  !/\b(?:pass(?:ed|es)?|ok|success\w*|warning)\b/i.test(line);

/** A line without the rules and the timings that tools print. */
const tidy = (line: string): string =>
  line
    .replace(/ ?[━─═]{3}.*/, '')
    .replace(/^[┃│] ?/, '')
    .replace(/ \(?\d+(?:\.\d+)? ?m?s\)?$/, '');
