import { number } from '../../../../src/cli/paper/size.ts';
import { rate, type Share } from '../../index.ts';
import { at, methodsIn, windowsOf, type Cell, type Measure } from '../measure.ts';
import { dots } from './dots.ts';
import { figure } from './figure.ts';
import type { Markup } from './markup.ts';
import { sentenceOf } from './sentence.ts';

/** A share in percent, as a table has it. */
export const hundredths = (value: number): string => (100 * value).toFixed(1);

/** Most windows for which half a row of the page is enough. */
const mostNarrow = 4;

/** One measure of all methods. */
export function beside<One extends Cell>(measure: Measure<One>, totals: readonly One[]): Markup {
  const windows = windowsOf(totals);
  const methods = methodsIn(totals);
  const title = `${measure.name}, in %`;
  const share = (method: string, window: number): Share =>
    measure.share(at(totals, method, window));
  const rows = methods.map((name) => ({
    name,
    values: windows.map((window) => rate(share(name, window))),
  }));
  return figure({
    title,
    sentence: sentenceOf(measure, totals),
    chart: dots({ title, windows, rows, top: 1, show: hundredths }),
    more: {
      title: 'Counted',
      heads: windows.map((window) => number(window)),
      rows: methods.map((name) => ({
        name,
        cells: windows.map((window) => {
          const { kept, of } = share(name, window);
          return `${number(kept)} of ${number(of)}`;
        }),
      })),
    },
    isWide: windows.length > mostNarrow,
  });
}
