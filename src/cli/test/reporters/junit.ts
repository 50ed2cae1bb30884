import type { CommandCall } from '../../call/call.ts';
import { clean } from '../../paper/clean.ts';
import { addressOf, isMet, type Reporter, type TestReport } from '../report.ts';

/** JUnit's XML, a suite for each file. */
export function junitReporter(call: CommandCall): Reporter {
  return {
    test: () => undefined,
    end(reports, ms) {
      const files = [...new Set(reports.map(({ file }) => file))];
      call.print(
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites${counts(reports)} time="${seconds(ms)}">`,
        ...files.flatMap((file) =>
          suiteOf(
            file,
            reports.filter((report) => report.file === file),
          ),
        ),
        '</testsuites>',
      );
    },
  };
}

function suiteOf(file: string, reports: readonly TestReport[]): readonly string[] {
  const time = seconds(reports.reduce((sum, { ms }) => sum + ms, 0));
  return [
    `  <testsuite name="${escaped(file)}"${counts(reports)} time="${time}">`,
    ...reports.flatMap(caseOf),
    '  </testsuite>',
  ];
}

function caseOf(report: TestReport): readonly string[] {
  const { file, name, ms, problems, isMistake } = report;
  const head = `    <testcase name="${escaped(name)}" classname="${escaped(file)}" time="${seconds(ms)}"`;
  if (isMet(report)) return [`${head}/>`];
  const kind = isMistake ? 'error' : 'failure';
  const details = problems.map((problem) =>
    [addressOf(file, problem), problem.what, ...problem.lines].join('\n'),
  );
  return [
    `${head}>`,
    `      <${kind} message="${escaped(problems[0]!.what)}">${escaped(details.join('\n\n'))}</${kind}>`,
    '    </testcase>',
  ];
}

function counts(reports: readonly TestReport[]): string {
  const wrong = reports.filter((report) => !isMet(report));
  const errors = wrong.filter(({ isMistake }) => isMistake).length;
  return ` tests="${reports.length}" failures="${wrong.length - errors}" errors="${errors}"`;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escaped = (text: string): string => clean(text).replace(/[&<>"]/g, (sign) => entities[sign]!);
