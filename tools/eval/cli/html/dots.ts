import { number } from '../../../../src/cli/paper/size.ts';
import { markup, nothing, type Markup } from './markup.ts';

/** One number for each of some methods within each window: a row of dots for a method, a dot for a window. */
export interface Dots {
  readonly title: string;
  readonly windows: readonly number[];
  /** Ours first; null where nothing was there to measure. */
  readonly rows: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
  /** The value at the right end. */
  readonly top: number;
  readonly show: (value: number) => string;
}

/** Height of a row, in pixels. */
const height = 26;

/** The dots as a table in which one column is drawn: whoever cannot see it reads the numbers. */
export const dots = ({ title, windows, rows, top, show }: Dots): Markup =>
  markup`<table class="dots" aria-label="${title}">
<thead><tr><td></td><td>${axis(top, show)}</td>${windows.map(
    (window, index) =>
      markup`<th scope="col"><svg class="key" width="14" height="14" aria-hidden="true">${dot(markup`7`, radius(index, windows.length))}</svg>${number(window)}</th>`,
  )}</tr></thead>
<tbody>
${rows.map(
  (
    { name, values },
    index,
  ) => markup`<tr${index === 0 ? markup` class="own"` : nothing}><th scope="row">${name}</th><td>${drawn(values, { windows, top, show })}</td>${values.map(
    (value) => markup`<td>${value === null ? '–' : show(value)}</td>`,
  )}</tr>
`,
)}</tbody></table>`;

/** A larger window has a larger dot. */
const radius = (index: number, count: number): number =>
  count === 1 ? 5 : 3 + (3.5 * index) / (count - 1);

const dot = (x: Markup, r: number, about?: string): Markup =>
  markup`<circle cx="${x}" cy="50%" r="${r}">${about === undefined ? nothing : markup`<title>${about}</title>`}</circle>`;

/** The dots of one method, and a line from the least to the greatest. */
function drawn(
  values: readonly (number | null)[],
  { windows, top, show }: Pick<Dots, 'windows' | 'top' | 'show'>,
): Markup {
  const known = values.filter((value) => value !== null);
  const x = (value: number): Markup => markup`${(100 * value) / top}%`;
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  const line =
    known.length === 0
      ? nothing
      : markup`<line class="span" x1="${x(least)}" x2="${x(greatest)}" y1="50%" y2="50%"/>`;
  const all = values.map((value, index) =>
    value === null
      ? nothing
      : dot(
          x(value),
          radius(index, windows.length),
          `${number(windows[index]!)} tokens: ${show(value)}`,
        ),
  );
  return markup`<svg class="row" height="${height}" aria-hidden="true">${[0, 50, 100].map(
    (place) => markup`<line class="grid" x1="${place}%" x2="${place}%" y1="0" y2="100%"/>`,
  )}${line}${all.toReversed()}</svg>`;
}

const axis = (top: number, show: Dots['show']): Markup =>
  markup`<svg class="row" height="16" aria-hidden="true">${[0, 0.5, 1].map(
    (place) =>
      markup`<text x="${100 * place}%" y="12" text-anchor="middle">${show(top * place).replace('.0', '')}</text>`,
  )}</svg>`;
