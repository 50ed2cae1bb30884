import { number } from '../../../../src/cli/paper/size.ts';
import { markup, type Markup } from './markup.ts';

/** What parts of a window are, and how much of each is used: a bar for a part, filled as far as it is used. */
export interface Bars {
  readonly window: number;
  readonly rows: readonly {
    readonly name: string;
    /** Of the window, 0 to 1. */
    readonly share: number;
    /** Of the part, 0 to 1. */
    readonly used: number;
  }[];
  /** The share at the right end. */
  readonly top: number;
  readonly show: (share: number) => string;
}

export const bars = ({ window, rows, top, show }: Bars): Markup =>
  markup`<table class="bars"><thead><tr><th scope="col">${number(window)} tokens</th><td></td><th scope="col">share</th><th scope="col">used again</th></tr></thead>
<tbody>
${rows.map(
  ({
    name,
    share,
    used,
  }) => markup`<tr><th scope="row">${name}</th><td><svg class="row" height="22" aria-hidden="true"><rect class="all" y="4" height="14" width="${(100 * share) / top}%"/><rect class="used" y="4" height="14" width="${(100 * share * used) / top}%"/></svg></td><td>${show(share)}</td><td>${show(used)}</td></tr>
`,
)}</tbody></table>`;
