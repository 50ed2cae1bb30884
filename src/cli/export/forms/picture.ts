import {
  apart,
  bandsOf,
  countsOf,
  thin,
  words,
} from '../../../viewer/page/session/model/axis/bands.ts';
import {
  distancesOn,
  firstTurn,
  placesOn,
} from '../../../viewer/page/session/model/axis/places.ts';
import { statusWord, type FrameSpan } from '../../../viewer/page/session/model/history.ts';
import { drawnSpan, lanesOf } from '../../../viewer/page/session/model/axis/lanes.ts';
import { ticksOf } from '../../../viewer/page/session/model/axis/ticks.ts';
import { parts } from '../../../viewer/page/session/model/wire.ts';
import { cleanLine } from '../../paper/clean.ts';
import { many, number } from '../../paper/size.ts';
import { cut, widthOf } from '../../paper/width.ts';
import { titleText } from '../../sessions/words/title-text.ts';
import type { Exporting } from '../exporting.ts';
import { readRecord, windowText, type SessionRecord } from '../session-record.ts';

// The window over time as one picture: what the prompt held, part by part, where a compression emptied it,
// and the frames of the work below. It stands on a sheet of its own, light or dark as its reader likes it, so
// it is read on any page; it has no script, no link and no letters but those of the machine that shows it.

/** Units of the picture; where its chart begins, behind the sizes; of the band of the chart, and of a row of frames. */
const [width, margin, start, top, height, row] = [960, 20, 66, 86, 230, 20] as const;
const inner = width - start - margin;

/** Most rows of frames that are drawn. */
const mostRows = 10;

/** Turns below which they are no axis. */
const fewTurns = 8;

/** Width of a letter of the text, and of the small one, about. */
const letter = { text: 6.6, small: 6 } as const;

/** A session as a picture. */
export async function* pictureOf(exporting: Exporting): AsyncGenerator<string> {
  yield pictureOfSession(await readRecord(exporting));
}

/** Where the steps of a session stand, along what. */
interface Axis {
  readonly name: 'turns' | 'tokens';
  /** From 0 to 1, of each step. */
  readonly places: ReturnType<typeof placesOn>;
}

/** The picture of a session, as SVG. */
export function pictureOfSession({ head, history, entries }: SessionRecord): string {
  const { steps, compressions } = history;
  const last = steps.at(-1);
  // Of few turns most would be of one kind: there the axis counts what was said.
  const name = (last?.turn ?? 0) < fewTurns ? 'tokens' : 'turns';
  const axis: Axis = { name, places: placesOn(name, steps) };
  const { bars, rest, bottom } = barsOf(history, axis);
  const legend = legendOf(history, bottom);
  const facts = [
    many(entries.length, 'entry', 'entries'),
    many(last?.turn ?? 0, 'turn'),
    `${number(last?.said ?? 0)} tokens said`,
    `window ${windowText(head.window, last?.limit ?? 0)}`,
    many(compressions.length, 'compression'),
  ].join(' · ');
  const title = cut(titleText(head.title), 100, '…');
  const whole = Math.round(legend.bottom + 14);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${whole}" width="${width}" height="${whole}" role="img" aria-label="${escape(`${title}: the context window over time`)}">
<title>${escape(title)}</title>
<desc>${escape(facts)}</desc>
<style>${style}</style>
<rect class="sheet" x="0.5" y="0.5" width="${width - 1}" height="${whole - 1}" rx="8"/>
<text class="title" x="${margin}" y="30">${escape(title)}</text>
<text class="soft" x="${margin}" y="50">${escape(facts)}</text>
${chartOf(history, axis)}
${marksOf(history, axis).join('\n')}
${cutsOf(history, axis).join('\n')}
<path class="base" d="M${start},${top + height}H${width - margin}"/>
${ticksBelow(history, axis).join('\n')}
${[...bars.map((bar) => barOf(bar, bars)), ...rest].join('\n')}
${legend.text}
</svg>
`;
}

/** What the prompt held, part by part, under what it might hold, with what servers counted beside it. */
function chartOf({ steps, counts }: History, { places }: Axis): string {
  const canvas = { width: inner, height };
  const { areas, due, limit, most } = bandsOf(steps, places, canvas);
  const placed = counts.map((one) => ({ ...one, place: places[one.at]! }));
  const { gaps } = countsOf(placed, { ...canvas, most });
  const levels = ticksOf({ axis: 'tokens', from: 0, reach: most }, 4).map(({ place, text }) => {
    const y = round(height * (1 - place));
    return `<path class="base" d="M0,${y}H${inner}"/><text class="soft level" x="-6" y="${y + 4}">${text}</text>`;
  });
  return `<g transform="translate(${start} ${top})">
${levels.join('\n')}
${areas.map((path, part) => `<path class="${parts[part]}" d="${path}"/>`).join('\n')}
<path class="limit" d="${limit}"/>
<path class="due" d="${due}"/>
<path class="gap" d="${gaps}"/>
</g>`;
}

/** Where it was compressed: a line each, and a number where there is room. */
function marksOf({ compressions }: History, { places }: Axis): readonly string[] {
  const room = inner / (2 * halfOf(String(compressions.length)) + 4);
  const numbered = new Set(thin(compressions, places, room));
  const kind = compressions.length > 3 * room ? 'mark faint' : 'mark';
  // Numbers stand over the dots between them.
  const drawn = [...compressions.entries()].sort(
    ([, one], [, other]) => Number(numbered.has(one)) - Number(numbered.has(other)),
  );
  return drawn.map(([index, one]) => {
    const at = round(xOf(places, one.at));
    const line = `<path class="${kind}" d="M${at},${top}V${top + height}"/>`;
    if (!numbered.has(one))
      return `${line}<circle class="dot" cx="${at}" cy="${top - 7}" r="2.5"/>`;
    const n = String(index + 1);
    const half = halfOf(n);
    return `${line}<rect class="ring" x="${round(at - half)}" y="${top - 16}" width="${2 * half}" height="14" rx="7"/><text class="n" x="${at}" y="${top - 5.5}">${n}</text>`;
  });
}

/** Half of the width of a ring around a number. */
const halfOf = (n: string): number => 7 + 3 * (n.length - 1);

/** Where somebody cut the prompt: an exclamation mark, or a question mark where that is only suspected. */
function cutsOf({ cuts, losses }: History, { places }: Axis): readonly string[] {
  const all = losses.flatMap((one) =>
    'cut' in one ? [{ at: one.at, isSure: cuts[one.cut]!.news?.isCertain !== false }] : [],
  );
  const sureFirst = [...all.filter(({ isSure }) => isSure), ...all];
  return apart(sureFirst, places, inner / 18).map(
    ({ at, isSure }) =>
      `<g transform="translate(${round(xOf(places, at))} ${top + 4})">${bang(isSure ? '!' : '?')}</g>`,
  );
}

const bang = (sign: string): string =>
  `<rect class="cut" x="-7" width="14" height="14" rx="3"/><text class="n" y="11">${sign}</text>`;

/** The ticks of the axis, with what they say. */
function ticksBelow({ steps }: History, { name }: Axis): readonly string[] {
  const from = name === 'turns' ? firstTurn(steps) : (steps[0]?.said ?? 0);
  const reach = distancesOn(name, steps).at(-1) ?? 0;
  const ticks = steps.length === 0 ? [] : ticksOf({ axis: name, from, reach }, 5);
  return ticks.map(({ place, text }) => {
    const tick = name === 'turns' ? text : `${text} tokens said`;
    const anchor = place < 0.06 ? 'start' : place > 0.94 ? 'end' : 'middle';
    const at = round(start + place * inner);
    return `<path class="base" d="M${at},${top + height}v4"/><text class="soft" text-anchor="${anchor}" x="${at}" y="${top + height + 16}">${tick}</text>`;
  });
}

/** The frames below the chart, what is said of those that are not drawn, and where what comes below them begins. */
function barsOf(
  { frames }: History,
  { places }: Axis,
): { readonly bars: readonly Bar[]; readonly rest: readonly string[]; readonly bottom: number } {
  // Frames that are open at once stand in rows of their own; the root has none.
  const spans = [...frames.values()].map(drawnSpan);
  const rows = lanesOf(spans);
  const begun = spans.filter(({ id, parent }) => parent !== null && rows.has(id));
  const drawn = begun.filter(({ id }) => rows.get(id)! <= mostRows);
  const levels = Math.max(0, ...drawn.map(({ id }) => rows.get(id)!));
  const below = top + height + 26;
  const bars = drawn.map((frame): Bar => {
    const left = xOf(places, frame.from!);
    const right = frame.to === null ? width - margin : xOf(places, frame.to);
    const y = below + (rows.get(frame.id)! - 1) * row;
    return { frame, left, wide: Math.max(2, right - left - 1), y };
  });
  const said = [
    ...(begun.length > drawn.length
      ? [`${many(begun.length - drawn.length, 'frame')} in further rows`]
      : []),
    ...plannedText(spans.filter(({ parent, id }) => parent !== null && !rows.has(id))),
  ];
  const end = below + levels * row;
  const rest = said.map(
    (text, at) =>
      `<text class="soft" x="${start}" y="${end + 12 + at * 18}">${escape(text)}</text>`,
  );
  return { bars, rest, bottom: end + said.length * 18 + (levels > 0 || said.length > 0 ? 22 : 8) };
}

/** What waits to be begun, as many of its titles as fit; nothing where nothing does. */
function plannedText(planned: readonly FrameSpan[]): readonly string[] {
  if (planned.length === 0) return [];
  const titles = planned.map(({ title }) => cleanLine(title)).join(' · ');
  const head = `planned (${number(planned.length)}): `;
  return [head + cut(titles, Math.floor(inner / letter.text) - head.length, '…')];
}

/** Where a step stands in the picture. */
const xOf = (places: Axis['places'], index: number): number => start + (places[index] ?? 0) * inner;

type History = SessionRecord['history'];

/** A frame as it is drawn. */
interface Bar {
  readonly frame: FrameSpan;
  readonly left: number;
  readonly wide: number;
  readonly y: number;
}

/** A frame as a bar with as much of its title as fits: in it, or behind it where there is more room before the next of its row. */
function barOf(bar: Bar, bars: readonly Bar[]): string {
  const { frame, left, wide, y } = bar;
  const { title, status } = frame;
  const isBad = status === 'failed' || status === 'invalidated';
  const name = `${isBad ? '✕ ' : ''}${cleanLine(title)}`;
  const right = left + wide;
  const next = Math.min(
    width - margin,
    ...bars.flatMap((one) => (one !== bar && one.y === y && one.left >= left ? [one.left] : [])),
  );
  const inside = lettersIn(Math.min(wide, next - left) - 8);
  const behind = lettersIn(next - right - 8);
  const isBehind = inside < widthOf(name) && behind > Math.max(inside, fewestLetters + 2);
  const room = isBehind ? behind : inside;
  const short = isBad && room > 0 ? '✕' : '';
  const label = room < fewestLetters ? short : cut(name, room, '…');
  const at = round(isBehind ? right + 4 : left + 5);
  const text =
    label === '' ? '' : `<text class="bar-text" x="${at}" y="${y + 12.5}">${escape(label)}</text>`;
  const about = `<title>${escape(`${cleanLine(title)}, ${statusWord(status)}`)}</title>`;
  return `<g>${about}<rect class="bar${isBad ? ' bad' : ''}" x="${round(left)}" y="${y}" width="${round(wide)}" height="${row - 3}" rx="3"/>${text}</g>`;
}

/** Fewest letters of a title that tell anything. */
const fewestLetters = 4;

const lettersIn = (room: number): number => Math.max(0, Math.floor(room / letter.small));

/** What each color is, in as many lines as it takes. */
function legendOf(
  { steps, cuts }: History,
  from: number,
): { readonly text: string; readonly bottom: number } {
  let [x, y] = [margin, from];
  const cutSign = `<g transform="translate(5 -11)">${bang('!')}</g>`;
  const signs = [
    ...parts
      .filter((_, part) => steps.some(({ sizes }) => sizes[part]! > 0))
      .map((part) => ({
        name: words[part],
        sign: `<rect class="${part}" width="10" height="10" y="-9" rx="2"/>`,
      })),
    { name: 'limit', sign: '<path class="limit" d="M0,-4H12"/>' },
    { name: 'compression due', sign: '<path class="due" d="M0,-4H12"/>' },
    {
      name: 'compression',
      sign: '<rect class="ring" x="0" y="-10" width="12" height="12" rx="6"/>',
    },
    ...(cuts.length > 0 ? [{ name: 'prompt cut, ? where suspected', sign: cutSign }] : []),
  ];
  const text = signs.map(({ name, sign }) => {
    const wide = 18 + widthOf(name) * letter.text + 14;
    if (x + wide > width - margin) [x, y] = [margin, y + 18];
    const at = `translate(${round(x)} ${y})`;
    x += wide;
    return `<g transform="${at}">${sign}<text class="soft" x="16">${name}</text></g>`;
  });
  return { text: text.join('\n'), bottom: y };
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A text as it stands in a document of XML, without what may stand in none. */
const escape = (text: string): string =>
  text.replace(/[\ufffe\uffff]/g, '').replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

const style = [
  'text{font:12px system-ui,"Segoe UI",sans-serif;fill:#23262b}',
  '.title{font-size:16px;font-weight:600}',
  '.sheet{fill:#fff;stroke:#dedad2}',
  '.soft{fill:#6c7078}.n{font-size:10px;font-weight:600;text-anchor:middle}',
  '.bar-text{font-size:11px}.bar{fill:#e2efe8;stroke:#4b8f6f}.bad{fill:#fbe4e4;stroke:#b91c1c}',
  '.base{stroke:#dedad2}.limit,.due,.mark,.gap{fill:none}.limit{stroke:#6c7078}',
  '.due{stroke:#b91c1c;stroke-dasharray:5 3}.gap{stroke:#b91c1c;stroke-width:1.5}',
  '.level{font-size:11px;text-anchor:end}.cut{fill:#fff;stroke:#b91c1c}.faint{opacity:.12}',
  '.mark{stroke:#b8860b;stroke-opacity:.4}.dot{fill:#b8860b}.ring{fill:#fff;stroke:#b8860b}',
  '.system{fill:#8a8f98}.tools{fill:#b3b8c0}.goal{fill:#8e5bd0}.frames{fill:#4b8f6f}',
  '.checkpoints{fill:#c2701c}.chronicle{fill:#dfa52c}.human{fill:#1f9d8f}.working{fill:#3f78c9}',
  '@media (prefers-color-scheme:dark){text{fill:#e4e6ea}.sheet{fill:#1b1e24;stroke:#2e333c}',
  '.soft{fill:#8f96a3}.bar{fill:#22332b;stroke:#4f9c7b}.bad{fill:#3c2526;stroke:#ff7b72}',
  '.base{stroke:#2e333c}.limit{stroke:#8f96a3}.due,.gap{stroke:#ff7b72}.cut{fill:#1b1e24;stroke:#ff7b72}',
  '.mark{stroke:#f0bc4f}.dot{fill:#f0bc4f}.ring{fill:#1b1e24;stroke:#f0bc4f}',
  '.system{fill:#6b7280}.tools{fill:#4b5563}.goal{fill:#b18cf0}.frames{fill:#4f9c7b}',
  '.checkpoints{fill:#d98a3a}.chronicle{fill:#f0bc4f}.human{fill:#45bfae}.working{fill:#4f86d9}}',
].join('');
