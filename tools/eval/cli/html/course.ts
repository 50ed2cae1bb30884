import { number, percent } from '../../../../src/cli/paper/size.ts';
import { markup, nothing, type Markup } from './markup.ts';

/** How full a window was, context by context. */
export interface Course {
  readonly window: number;
  /** Tokens of each context, session by session. */
  readonly sessions: readonly (readonly number[])[];
}

/** Most places along the course at which it is drawn. */
const mostPlaces = 500;

/** The course as a line below the limit: of what falls into one place, the least and the greatest stand. */
export function course({ window, sessions }: Course): Markup {
  const all = sessions.flat();
  if (all.length === 0) return nothing;
  const top = Math.max(window, ...all);
  const wide = Math.max(1, all.length - 1);
  const step = Math.ceil(all.length / mostPlaces);
  const y = (tokens: number): number => 100 - (100 * tokens) / top;
  const points: string[] = [];
  for (let from = 0; from < all.length; from += step) {
    const part = all.slice(from, from + step);
    const [least, greatest] = [Math.min(...part), Math.max(...part)];
    const isFalling = part.indexOf(greatest) < part.indexOf(least);
    const both = isFalling ? [greatest, least] : [least, greatest];
    for (const tokens of new Set(both)) points.push(`${from},${y(tokens).toFixed(1)}`);
  }
  let place = 0;
  const begins = sessions.slice(0, -1).map(({ length }) => (place += length));
  const about = `Tokens of ${number(all.length)} contexts within ${number(window)}: at most ${number(Math.max(...all))}`;
  return markup`<div class="course"><span>${number(window)} tokens</span>
<svg viewBox="0 0 ${wide} 100" preserveAspectRatio="none" role="img" aria-label="${about}"><title>${about}</title>
<path class="area" d="M0,100L${points.join('L')}V100Z"/><path class="edge" d="M${points.join('L')}"/>
<path class="limit" d="M0,${y(window)}H${wide}"/>${begins.map((at) => markup`<path class="begins" d="M${at},0V100"/>`)}
</svg><span class="top">${percent(top / window)}</span><span class="bottom">0</span></div>
`;
}
