import { number } from '../../../../src/cli/paper/size.ts';
import { markup, type Markup } from './markup.ts';

/** One number for each of some measures within each window, from 0 to 1: a line for a measure. */
export interface Lines {
  readonly title: string;
  readonly windows: readonly number[];
  /** Null where nothing was there to measure. */
  readonly rows: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly show: (value: number) => string;
}

/** In pixels: of the whole, above the greatest value, below the least, and between two numbers. */
const [height, above, below, apart] = [290, 14, 28, 15] as const;

/** What marks the points of a line, whatever its color; around 0, 0. */
const signs = [
  'M-5,0A5,5 0 1 1 5,0A5,5 0 1 1 -5,0Z',
  'M-5,-5H5V5H-5Z',
  'M0,-6.5L6,4.5H-6Z',
  'M0,-7L7,0L0,7L-7,0Z',
];

const y = (value: number): number => above + (1 - value) * (height - above - below);

/** The lines, with the number at each point; what does not stretch is drawn in pixels, places are shares of the width. */
export function lines({ title, windows, rows, show }: Lines): Markup {
  const x = (index: number): Markup =>
    markup`${windows.length === 1 ? 50 : 10 + (78 * index) / (windows.length - 1)}%`;
  const drawn = rows.map(({ values }, series) => {
    const points = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
    const parts = points.slice(1).map((point, before) => {
      const from = points[before]!;
      return markup`<line x1="${x(from.index)}" y1="${y(from.value)}" x2="${x(point.index)}" y2="${y(point.value)}"/>`;
    });
    const marks = points.map(
      ({ value, index }) =>
        markup`<svg x="${x(index)}" y="${y(value)}" overflow="visible">${sign(series)}</svg>`,
    );
    return markup`<g class="s${series}">${parts}${marks}</g>\n`;
  });
  const numbers = windows.map((_, index) =>
    placed(rows.map(({ values }) => values[index] ?? null)).map(
      ({ series, value, at }) =>
        markup`<text class="s${series} value" x="${x(index)}" dx="8" y="${at - 7}">${show(value)}</text>`,
    ),
  );
  const label = rows
    .map(
      ({ name, values }) =>
        `${name}: ${values.map((value) => (value === null ? '–' : show(value))).join(', ')}`,
    )
    .join('; ');
  return markup`<ul class="legend" aria-hidden="true">${rows.map(
    ({ name }, series) =>
      markup`<li><svg class="key" width="16" height="16"><svg x="8" y="8" overflow="visible" class="s${series}">${sign(series)}</svg></svg>${name}</li>`,
  )}</ul>
<svg class="lines" height="${height}" role="img" aria-label="${`${title}, within ${windows.map(number).join(', ')} tokens. ${label}`}">
${[0, 0.25, 0.5, 0.75, 1].map(
  (value) =>
    markup`<line class="grid" x1="0" x2="100%" y1="${y(value)}" y2="${y(value)}"/><text x="0" y="${y(value) - 3}">${100 * value}</text>`,
)}
${drawn}${numbers.flat()}
${windows.map((window, index) => markup`<text x="${x(index)}" y="${height - 6}" text-anchor="middle">${number(window)}</text>`)}
</svg>`;
}

const sign = (series: number): Markup => markup`<path d="${signs[series % signs.length]!}"/>`;

/** Where the numbers of one window stand: at their points, or as near as those above leave room. */
function placed(values: readonly (number | null)[]): readonly {
  readonly series: number;
  readonly value: number;
  readonly at: number;
}[] {
  const known = values
    .flatMap((value, series) => (value === null ? [] : [{ series, value }]))
    .sort((one, other) => other.value - one.value);
  // The last one keeps clear of the words below; those above it move up as far as they must.
  const places = known.map(({ value }) => y(value));
  for (let index = 1; index < places.length; index += 1)
    places[index] = Math.max(places[index]!, places[index - 1]! + apart);
  let floor = y(0);
  for (let index = places.length - 1; index >= 0; index -= 1) {
    places[index] = Math.min(places[index]!, floor);
    floor = places[index]! - apart;
  }
  return known.map((one, index) => ({ ...one, at: places[index]! }));
}
