import type { LogEntry, Place } from '../../index.ts';
import { timeText } from '../../viewer/page/session/model/time.ts';
import { clean, cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { rule } from '../paper/rule.ts';
import { many } from '../paper/size.ts';
import { padEnd, wrap } from '../paper/width.ts';
import { wholeText } from './message.ts';
import { titleText } from '../sessions/words/title-text.ts';

/** Width of the labels, in cells. */
const label = 10;

/** One entry of a log, whole: who, in which frame, when, how long and where it is now, then what was said. */
export function entryLines(
  entry: LogEntry,
  context: { readonly frame: string; readonly place: Place },
  paper: Paper,
): readonly string[] {
  const rows: readonly (readonly [name: string, text: string])[] = [
    ['role', speakerOf(entry)],
    ['frame', `${entry.frame}  ${titleText(context.frame)}`.trimEnd()],
    ['time', timeText(entry.at)],
    ['now', placeText(context.place)],
    ...resultRows(entry),
  ];
  return [
    rule(paper, `entry ${entry.id}`, many(entry.tokens, 'token')),
    ...rows.flatMap(([name, text]) => rowLines(name, text, paper)),
    paper.paint(paper.glyphs.rule.repeat(paper.width), 'gray'),
    ...thinkingLines(entry, paper),
    ...wholeText(entry).split('\n'),
  ];
}

function rowLines(name: string, text: string, paper: Paper): readonly string[] {
  return wrap(text, paper.width - label).map(
    (line, index) => paper.paint(padEnd(index === 0 ? `  ${name}` : '', label), 'gray') + line,
  );
}

/** The role, and in brackets what a person cannot tell from it. */
function speakerOf(entry: LogEntry): string {
  if (entry.role !== 'user') return entry.role;
  return entry.origin === 'machine' ? 'user (a machine)' : 'user (a person)';
}

/** Which call a result answers, and whether it is an error. */
function resultRows(entry: LogEntry): readonly (readonly [name: string, text: string])[] {
  if (entry.role !== 'tool') return [];
  const { name, toolCallId, isError } = entry;
  const parts = [name, toolCallId].filter((part) => part !== undefined).map(cleanLine);
  const text = [parts.join(' '), ...(isError === true ? ['an error'] : [])];
  const shown = text.filter((part) => part !== '').join(', ');
  return shown === '' ? [] : [['answers', shown]];
}

function thinkingLines(entry: LogEntry, paper: Paper): readonly string[] {
  if (entry.role !== 'assistant' || (entry.thinking ?? '') === '') return [];
  const lines = clean(entry.thinking!).replaceAll('\t', '  ').split('\n');
  return [...lines.map((line) => paper.paint(line, 'gray')), ''];
}

/** Where an entry is, seen from the prompt, in words. */
function placeText(place: Place): string {
  const { frame } = place;
  switch (place.place) {
    case 'verbatim':
      return 'in the window, word for word';
    case 'shortened':
      return `in the window, shortened to ${many(place.tokens, 'token')}`;
    case 'checkpoint':
      return `behind checkpoint ${place.checkpoint} (${range(place)})`;
    case 'partial':
      return `behind the partial result of frame ${frame} (${range(place)})`;
    case 'offloaded':
      return `behind a breadcrumb (${range(place)}); its directives are quoted`;
    case 'results':
      return `behind the results of frame ${frame}`;
    case 'left':
      return `on a branch that was left (${range(place)})`;
    case 'invalidated':
      return `behind the one line of frame ${frame}, which was abandoned`;
    case 'tree':
      return forms[place.form];
  }
}

/** How the tree shows a frame, in words. */
const forms: Readonly<Record<Extract<Place, { place: 'tree' }>['form'], string>> = {
  path: 'in the window, on the path to the active frame',
  whole: 'in the window, with its results in full',
  brief: 'in the window, with its results in brief',
  line: 'in the window, by its title',
  counted: 'in the window, in a count of frames',
  hidden: 'not in the window',
};

function range({ from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? from : `${from} to ${to}`;
}
