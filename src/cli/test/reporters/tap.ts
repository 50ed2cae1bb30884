import type { CommandCall } from '../../call/call.ts';
import { cleanLine } from '../../paper/clean.ts';
import { addressOf, isMet, type Reporter } from '../report.ts';

/** The Test Anything Protocol, version 14. */
export function tapReporter(call: CommandCall): Reporter {
  let count = 0;
  return {
    test(report) {
      if (count === 0) call.print('TAP version 14');
      count += 1;
      const name = cleanLine(`${report.file}: ${report.name}`).replace(/[\\#]/g, '\\$&');
      call.print(`${isMet(report) ? 'ok' : 'not ok'} ${count} - ${name}`);
      for (const problem of report.problems) {
        const { what, lines } = problem;
        const message = [what, ...lines].map((line) => `      ${line}`);
        const at = JSON.stringify(addressOf(report.file, problem));
        call.print('  ---', `  at: ${at}`, '  message: |', ...message, '  ...');
      }
    },
    end: (reports) => call.print(`1..${reports.length}`),
  };
}
