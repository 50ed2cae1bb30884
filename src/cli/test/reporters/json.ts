import type { CommandCall } from '../../call/call.ts';
import { isMet, type Reporter } from '../report.ts';

const schema = 'flamestack.test/1';

/** A document for each script, and one for all. */
export function jsonReporter(call: CommandCall): Reporter {
  return {
    test: (report) => call.emit(schema, { type: 'test', ok: isMet(report), ...report }),
    end(reports, ms) {
      const failed = reports.filter((report) => !isMet(report)).length;
      call.emit(schema, { type: 'summary', tests: reports.length, failed, ms });
    },
  };
}
