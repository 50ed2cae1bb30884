import { markup, nothing, type Markup } from './markup.ts';

/** A chart with what it shows. */
export interface Figure {
  readonly title: string;
  /** What one sees in it, and what good is. */
  readonly sentence: string;
  readonly chart: Markup;
  /** Its numbers more closely, below it. */
  readonly more?: Table;
  /** Whether it takes a whole row of the page. */
  readonly isWide?: boolean;
}

/** Numbers and words in rows. */
export interface Table {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    readonly cells: readonly string[];
  }[];
}

export const figure = ({ title, sentence, chart, more, isWide }: Figure): Markup =>
  markup`<figure${isWide === true ? markup` class="wide"` : nothing}>
<figcaption><h3>${title}</h3><p>${sentence.replaceAll(' %', '\u00a0%')}</p></figcaption>
${chart}${more === undefined ? nothing : folded(more)}
</figure>
`;

/** A table that opens on demand. */
export const folded = (table: Table): Markup =>
  markup`<details><summary>${table.title}</summary>${tableOf(table)}</details>`;

/** A table, which scrolls where it is too wide. */
const tableOf = ({ title, heads, rows }: Table): Markup =>
  markup`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="numbers"><thead><tr><td></td>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(({ name, cells }) => rowOf(name, cells))}</tbody></table></div>`;

/** A row; one without cells is a title. */
const rowOf = (name: string, cells: readonly string[]): Markup =>
  cells.length === 0
    ? markup`<tr class="title"><th scope="rowgroup">${name}</th></tr>\n`
    : markup`<tr><th scope="row">${name}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`;
