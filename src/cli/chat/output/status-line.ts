import type { Budget, Reliability, ReliabilityBand, Session } from '../../../index.ts';
import { countedBudget } from '../../../reader.ts';
import { ascii } from '../../paper/glyph.ts';
import type { Paper } from '../../paper/paper.ts';
import { many, number } from '../../paper/size.ts';
import { widthOf } from '../../paper/width.ts';
import { bar } from '../../render/bar.ts';
import type { SessionStatus } from './chat-event.ts';

/** The status of a session. */
export function sessionStatus({ state }: Session): SessionStatus {
  const { budget, reliability, compressions } = state;
  return { budget, reliability, compressions };
}

const badges: Readonly<Record<ReliabilityBand, string>> = {
  high: '🟢',
  medium: '🟡',
  low: '🟠',
  critical: '🔴',
};

const certainties: Readonly<Record<Budget['count'], string>> = {
  bound: 'at least ',
  estimate: 'about ',
  measured: '',
};

/** What a window is parted into, in words; what is left is the number of the status line. */
export function partsText(budget: Budget): string {
  const { window, reserve, limit, total, system, tools, human, working } = countedBudget(budget);
  const free = window - reserve - limit;
  const said = human + working;
  const noted = total - system - tools - said;
  return [
    `Window ${many(window, 'token')}: ${number(reserve)} for the answer`,
    `${number(system + tools)} prompt and tools`,
    ...(noted > 0 ? [`${number(noted)} what was noted`] : []),
    ...(said > 0 ? [`${number(said)} what was said`] : []),
    ...(free > 0 ? [`${number(free)} kept free until the server has counted`] : []),
    `${number(Math.max(0, limit - total))} left`,
  ].join(', ');
}

/** The widest that the bar beside the numbers gets, and the narrowest that says anything, in cells. */
const barWidth = { most: 24, least: 8 } as const;

/** `8,366 tokens left  reliability 🟡 65%  (2 compressions)`, and a bar where there is room; several lines where there is little. */
export function statusLines(standing: SessionStatus, paper: Paper): readonly string[] {
  const { compressions, reliability } = standing;
  const budget = countedBudget(standing.budget);
  const isOver = budget.total > budget.limit;
  const parts = [
    isOver
      ? 'nothing left'
      : `${certainties[budget.count]}${many(budget.limit - budget.total, 'token')} left`,
    ...(isOver ? ['compresses before the next answer'] : []),
    ...(reliability === null ? [] : [`reliability ${badgeText(reliability, paper)}`]),
    ...(compressions === 0 ? [] : [`(${many(compressions, 'compression')})`]),
  ];
  const lines = parts.reduce<readonly string[]>((before, part) => {
    const longer = [...before.slice(-1), part].join('  ');
    return widthOf(longer) > paper.width ? [...before, part] : [...before.slice(0, -1), longer];
  }, []);
  const room = Math.min(barWidth.most, paper.width - widthOf(lines[0]!) - 3);
  const grayLines = lines.map((line) => paper.paint(line, 'gray'));
  if (lines.length > 1 || room < barWidth.least) return grayLines;
  return [`${bar(budget, { ...paper, width: room })}  ${grayLines[0]}`];
}

/** The badge of a band with its score: `🟡 65%`, in plain characters `medium 65%`. */
export function badgeText({ band, score }: Reliability, { glyphs }: Paper): string {
  return `${glyphs === ascii ? band : badges[band]} ${Math.round(score * 100)}%`;
}
