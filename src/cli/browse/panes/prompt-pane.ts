import { namesLine, ways } from '../../../viewer/page/session/model/words/ways.ts';
import { parts as wireParts, type PromptMessage } from '../../../viewer/page/session/model/wire.ts';
import { clean } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { many, number, percent } from '../../paper/size.ts';
import { cut, padEnd, padStart } from '../../paper/width.ts';
import { parts } from '../../render/budget.ts';
import type { OpenSession } from '../browsing.ts';
import { lastResult } from '../last-result.ts';
import type { Moment } from '../moment.ts';
import { signsOf } from '../signs.ts';
import { readingOf, textRows } from './linked.ts';
import { rowsOf, type PaneView, type Row, type Rows } from './rows.ts';

/** What the model sees at this moment, part by part, and what it does not. */
export function promptPane(open: OpenSession, paper: Paper): PaneView {
  const { moment, unfolded, chosen, history } = open;
  if (moment === null)
    return { head: [], at: 0, rows: rowsOf([{ text: `Loading ${paper.glyphs.more}` }]) };
  const step = history.steps[moment.seq - 1];
  const rows = promptRows(
    moment,
    shownOf(unfolded, step?.sizes ?? noSizes, step?.limit ?? 0),
    paper,
  );
  return { head: [], at: chosen.prompt ?? 0, rows };
}

const noSizes: readonly number[] = [];

/** How a prompt is shown. */
interface PromptView {
  readonly unfolded: ReadonlySet<string>;
  /** Tokens of the parts, those that stand in no message, too. */
  readonly sizes: readonly number[];
  readonly limit: number;
}

const shownOf = lastResult(
  (unfolded: PromptView['unfolded'], sizes: PromptView['sizes'], limit: number): PromptView => ({
    unfolded,
    sizes,
    limit,
  }),
);

const promptRows = lastResult((moment: Moment, view: PromptView, paper: Paper): Rows =>
  rowsOf([
    ...partsOf(moment, view.sizes).flatMap((part) => partRows(part, view, paper)),
    ...missingRows(moment, paper),
  ]),
);

/** A part of a prompt. */
interface Part {
  readonly name: string;
  readonly tokens: number;
  readonly messages: readonly PromptMessage[];
}

function partsOf({ prompt }: Moment, sizes: PromptView['sizes']): readonly Part[] {
  const sizeOf = (name: string): number | undefined =>
    sizes[wireParts.findIndex((part) => part === name)];
  const bySection = new Map<string, PromptMessage[]>();
  for (const message of prompt.messages) {
    const messages = bySection.get(message.section);
    if (messages === undefined) bySection.set(message.section, [message]);
    else messages.push(message);
  }
  const sections = [...bySection].map(([name, messages]) => ({
    name,
    messages,
    tokens: sizeOf(name) ?? messages.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
  const tools = sizeOf('tools') ?? 0;
  return tools === 0 ? sections : [...sections, { name: 'tools', messages: [], tokens: tools }];
}

/** Cells of the bar of a share. */
const barWidth = 12;

function partRows(part: Part, view: PromptView, paper: Paper): readonly Row[] {
  const { name, tokens, messages } = part;
  const { paint, width, glyphs } = paper;
  const signs = signsOf(paper);
  const isOpen = view.unfolded.has(name);
  const share = tokens / Math.max(1, view.limit);
  const fold = messages.length === 0 ? ' ' : isOpen ? signs.open : signs.shut;
  const rowText = `${fold} ${padEnd(name, 12)}${padStart(number(tokens), 7)}${padStart(percent(share), 6)}`;
  const filled = tokens === 0 ? 0 : Math.max(1, Math.min(barWidth, Math.round(share * barWidth)));
  const bar = width < 56 ? '' : ` ${padEnd(signs.filled.repeat(filled), barWidth)}`;
  const about = parts.find(([part]) => part === name)?.[1] ?? '';
  const room = width - 1 - rowText.length - bar.length - 2;
  const text = paint(rowText, 'bold') + paint(bar, 'cyan');
  const note = room < 12 ? '' : paint(`  ${cut(about, room, glyphs.more)}`, 'gray');
  const deed = messages.length === 0 ? undefined : ({ type: 'fold', part: name } as const);
  const inner = isOpen ? messages.flatMap((message) => messageRows(message, paper)) : [];
  return [{ text: text + note, deed }, ...inner];
}

/** Lines of an entry that are shown of it; Enter shows all. */
const mostLines = 3;

function messageRows(message: PromptMessage, paper: Paper): readonly Row[] {
  const { kind, role, entry, tokens, text } = message;
  const inner = { ...paper, width: paper.width - 1 };
  if (kind === 'made' || entry === null)
    return text
      .split('\n')
      .flatMap((line) => textRows(line, inner, { indent: 4, deed: readingOf(line) }));
  const deed = readingOf(entry);
  const size = `${many(tokens, 'token')}${kind === 'shortened' ? ', in part' : ''}`;
  const lines = clean(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const rows = lines.slice(0, mostLines).map((line, index) => {
    const more = index === mostLines - 1 && lines.length > mostLines ? ` ${paper.glyphs.more}` : '';
    return {
      text: `    ${cut(line, inner.width - 4 - more.length, paper.glyphs.more)}${more}`,
      deed,
    };
  });
  return [{ text: paper.paint(`  ${entry} ${role}, ${size}`, 'cyan'), deed }, ...rows];
}

/** Most ranges that are named of entries in one place. */
const mostRanges = 40;

/** What stood there no longer word for word, and by what it is told. */
function missingRows({ prompt }: Moment, paper: Paper): readonly Row[] {
  const { missing, names, kept } = prompt;
  const inner = { ...paper, width: paper.width - 1 };
  if (missing.length === 0)
    return [{ text: '' }, { text: 'Everything that was said stands here, word for word.' }];
  const lost = missing.reduce((sum, { entries }) => sum + entries, 0);
  const rows = missing.map(({ how, entries, refs }) => {
    const ranges = refs.slice(0, mostRanges).join(', ');
    const text = `  ${padStart(number(entries), 5)} ${ways[how] ?? how}: ${ranges}`;
    return { text: cut(text, inner.width, paper.glyphs.more), deed: readingOf(ranges) };
  });
  const tally = namesLine(many(names, 'name'), number(kept));
  return [
    { text: '' },
    {
      text: paper.paint(
        cut(
          `${many(lost, 'entry', 'entries')} not here word for word:`,
          inner.width,
          paper.glyphs.more,
        ),
        'bold',
      ),
    },
    ...rows,
    ...(names === 0 ? [] : textRows(tally, inner)),
  ];
}
