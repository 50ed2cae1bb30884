import type { Count } from '../messages/token-count.ts';
import type { State } from '../state/state.ts';
import { nothingReported } from '../state/document-schedule.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { dayOf, timeOf } from '../values/date.ts';
import { entryId } from '../values/id.ts';
import { atOnce, type Part } from '../values/parts.ts';
import { awaited, documentSince } from './build-document.ts';
import type { CheckpointDocument } from '../documents/document.ts';
import { contentLines, digestOf } from '../documents/document-digest.ts';
import { filesOnPage } from './page-files.ts';
import { pageFile } from '../documents/page-mark.ts';
import type { ListItem } from '../documents/list-item.ts';
import { printText } from '../documents/markdown-text.ts';
import { short } from '../documents/short-text.ts';
import { isCommit } from './task.ts';
import type { SessionWork } from './session-work.ts';

// One page on where the work stands now, for whoever reads one thing only. It is
// rewritten each time, and may be edited by hand: its last line holds a digest of the
// rest, and the session that it is of.

/** Most tokens of the page. */
const mostTokens = 1_900;

/** What each part may take at first, in tokens; what one leaves goes to those after it. */
const rooms = { open: 260, decisions: 500, done: 170, files: 310, failed: 110 } as const;

/** Longest goal, and longest line below it, in tokens. */
const longest = { goal: 140, line: 90 } as const;

/** What the page is printed with. */
export interface PageSurroundings {
  readonly at: number;
  readonly count: Count;
  /** Files with the documents of the session, the newest first. */
  readonly files: readonly string[];
  /** Does a part of the work; at once unless told. */
  readonly part?: Part;
}

/** The page of a state, with a line feed at its end. */
export function printPage(state: State, work: SessionWork, surroundings: PageSurroundings): string {
  const { at, part = atOnce } = surroundings;
  const stamp = { id: '', at, reason: 'command' } as const;
  const whole = part(() => documentSince(state, work, { stamp, baseline: nothingReported }));
  return part(() => printWhole(state, work, { ...surroundings, whole }));
}

/** The page of what a document tells that tells all. */
function printWhole(
  state: State,
  work: SessionWork,
  surroundings: PageSurroundings & { readonly whole: CheckpointDocument },
): string {
  const { at, count, whole } = surroundings;
  const files = filesOnPage(work, whole);
  const fit = fitter(count);
  let unused = 0;
  const part = (name: keyof typeof rooms, head: string, lines: readonly string[]): string => {
    const { text, spare } = fit(lines, rooms[name] + unused);
    unused = spare;
    return text === '' ? '' : `## ${head}\n${text}`;
  };
  const parts = [
    `# Now: ${printText(clip(oneLine(whole.title === '' ? state.session : whole.title), 80), 'item')}`,
    '> One page on where the work stands, rewritten at each checkpoint. Edit it by hand: what you change is taken in as your words.',
    headOf(state, whole, surroundings),
    part('open', 'Open', openLines(whole)),
    part('decisions', 'Decisions in force', decisionsOf(whole).map(decisionLine)),
    part('done', 'Done', doneOnce(whole.actions).map(doneLine)),
    part('files', files.head, files.lines),
    part('failed', 'Failed', failureLines(work)),
    `## Where to look\n${whereLines(state, surroundings.files).join('\n')}`,
  ].filter((text) => text !== '');
  const page = fitWhole(parts, count);
  const mark = { session: state.session, at, messages: state.entryCount };
  const json = JSON.stringify({ ...mark, digest: digestOf(contentLines(page)) });
  return `${page}\n\n<!-- flamestack page ${json} -->\n`;
}

/** The newest lines that fit, in their order, and what is left of the room. */
const fitter =
  (count: Count) =>
  (lines: readonly string[], room: number): { readonly text: string; readonly spare: number } => {
    const kept: string[] = [];
    let spare = room;
    for (const line of lines.toReversed()) {
      const tokens = count(line) + 1;
      if (tokens > spare) break;
      spare -= tokens;
      kept.push(line);
    }
    return { text: kept.toReversed().join('\n'), spare };
  };

/** The parts as one text; from the end those are left out that have no room. */
function fitWhole(parts: readonly string[], count: Count): string {
  const text = parts.join('\n\n');
  return count(text) <= mostTokens ? text : fitWhole(parts.slice(0, -1), count);
}

function headOf(state: State, whole: CheckpointDocument, { at, count }: PageSurroundings): string {
  const marks = [
    ...(whole.asked === '' ? [] : [`asked in ${whole.asked}`]),
    ...(whole.priority === 'medium' ? [] : [`${whole.priority} priority`]),
    ...(whole.standing === 'active' ? [] : [whole.standing]),
  ];
  const mark = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  const goal = clipTokens(oneLine(whole.goal), longest.goal, count);
  const line = (name: string, text: string): readonly string[] =>
    text === ''
      ? []
      : [`- **${name}:** ${printText(clipTokens(oneLine(text), longest.line, count), 'item')}`];
  return [
    ...(goal === '' ? [] : [`- **Goal:** ${printText(goal, 'item')}${mark}`]),
    ...line('Working on', whole.topic),
    ...line('Last completed', whole.completed),
    ...line('Next', whole.next),
    ...line('Waiting for', awaited(state)),
    `- **As of:** ${dayOf(at)} ${timeOf(at)} UTC, turn ${state.turn}, ${state.entryCount} messages`,
  ].join('\n');
}

/** A text of at most so many tokens. */
function clipTokens(text: string, most: number, count: Count): string {
  let [clipped, length] = [text, text.length];
  while (length > 8 && count(clipped) > most) {
    length = Math.floor(length * 0.8);
    clipped = clip(text, length);
  }
  return clipped;
}

const isOpen = ({ done, kind }: ListItem): boolean => !done && kind !== 'frame, failed';

function openLines({ actions, questions }: CheckpointDocument): readonly string[] {
  const item = ({ text, kind, detail = '', entry }: ListItem): string => {
    const marks = [kind, entry].filter((mark) => mark !== undefined);
    const mark = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
    const about = detail === '' ? '' : ` — ${short(detail, 120)}`;
    return `- [ ] ${printText(oneLine(text) + about, 'item')}${mark}`;
  };
  return [
    ...questions.map((text) => `- [ ] ${printText(`Asked: ${text}`, 'item')}`),
    ...actions.filter(isOpen).map(item).toReversed(),
  ].toReversed();
}

/** The decisions, those that matter least first: of closed frames and the model, of people, of the goal. */
function decisionsOf({ decisions }: CheckpointDocument): readonly ListItem[] {
  const kept = decisions.filter(({ kind }) => kind === undefined);
  const texts = new Set(kept.map(({ text }) => text));
  const others = decisions.filter(({ kind, text }) => kind !== undefined && !texts.has(text));
  return [
    ...others.filter(({ kind }) => kind !== 'directive'),
    ...others.filter(({ kind }) => kind === 'directive'),
    ...kept.filter(({ done }) => !done),
    ...kept.filter(({ done }) => done),
  ];
}

/** A decision with who made it: where it stands in the goal, whether it is locked. */
function decisionLine({ text, done, kind, entry = '' }: ListItem): string {
  const by =
    kind === 'directive'
      ? ` — a person, ${entry}`
      : kind === 'noted'
        ? ` — ${entry === '' ? 'a closed frame' : `the model, ${entry}`}`
        : done
          ? ' (locked)'
          : '';
  const decisionText = kind === 'directive' && !text.startsWith('“') ? `“${text}”` : text;
  return `- ${printText(oneLine(decisionText), 'item')}${by}`;
}

/** What is done; items of a list that a frame of that title tells are left out. */
function doneOnce(actions: readonly ListItem[]): readonly ListItem[] {
  const done = actions.filter((item) => item.done);
  const titles = done.flatMap(({ frame, text }) => (frame === undefined ? [] : [text]));
  return done.filter(
    ({ frame, text }) => frame !== undefined || !titles.some((title) => text.startsWith(title)),
  );
}

function doneLine({ text, kind, entry, detail = '' }: ListItem): string {
  const head = text.split(' · ', 1)[0]!;
  const about = detail === '' ? '' : ` — ${short(detail, 100)}`;
  const family = kind?.split(',', 1)[0];
  const marks = [family, entry].filter((mark) => mark !== undefined);
  const mark = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  return `- [x] ${printText(short(head, 140) + about, 'item')}${mark}`;
}

/** What failed since the last commit, with its cure where there is one. */
const failureLines = ({ lines }: SessionWork): readonly string[] =>
  lines
    .slice(lines.findLastIndex(isCommit) + 1)
    .filter(({ kind }) => kind === 'failed')
    .slice(-6)
    .map(({ n, text }) => `- ${printText(short(text, 160), 'item')} (${entryId(n)})`);

function whereLines({ session: id }: State, files: readonly string[]): readonly string[] {
  const [newest, ...older] = files;
  const more = older.length === 0 ? '' : `, before that ${older.slice(0, 4).join(', ')}`;
  return [
    ...(newest === undefined ? [] : [`- ${newest}: what changed at each checkpoint${more}`]),
    `- e12 and e40–e52 are entries of the log: \`flamestack expand e12 --session ${id}\`, or the tool \`recall\``,
    `- \`flamestack search "words" --session ${id}\` finds what was said`,
  ];
}

/** Whether a call of the model named the page since the last document: an edit may be its own. */
export function isPageNamed(state: State, { entries }: SessionWork): boolean {
  const since = state.documents.told.messages;
  return entries.some(
    ({ n, message }) =>
      n > since &&
      message.role === 'assistant' &&
      (message.toolCalls ?? []).some((call) => JSON.stringify(call).includes(pageFile)),
  );
}
