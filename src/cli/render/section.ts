import type { Assembly, OutMessage, Section } from '../../index.ts';
import type { Paper } from '../paper/paper.ts';
import { rule } from '../paper/rule.ts';
import { many, number } from '../paper/size.ts';
import { cut } from '../paper/width.ts';
import { messageHead, messageText } from './message.ts';

/** One part of a prompt. */
export interface ShownSection {
  readonly name: Section;
  readonly tokens: number;
  readonly messages: readonly OutMessage[];
}

/** The parts of a prompt in their order, those that are not empty, in the tokens of a budget that has them. */
export function sectionsOf(
  assembly: Assembly,
  budget: Readonly<Partial<Record<Section, number>>>,
): readonly ShownSection[] {
  const sections = new Map<Section, OutMessage[]>();
  for (const message of assembly.messages) {
    const existing = sections.get(message.section);
    if (existing === undefined) sections.set(message.section, [message]);
    else existing.push(message);
  }
  return [...sections].map(([name, messages]) => ({
    name,
    messages,
    tokens: budget[name] ?? messages.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
}

/** A section under its name; of its text, at most `most` lines (of entries the newest), each in the width unless all are shown. */
export function sectionLines(
  section: ShownSection,
  { paper, most }: { paper: Paper; most: number },
): readonly string[] {
  const { name, tokens, messages } = section;
  const size = `${number(tokens)} tokens`;
  const several = messages.length > 1 ? `${many(messages.length, 'message')}, ${size}` : size;
  const lines = messages.flatMap((message) => messageLines(message, paper));
  const isCut = lines.length > most;
  const isNewest = name === 'working';
  const kept = isNewest ? lines.slice(-most) : lines.slice(0, most);
  const visibleLines = isCut ? kept : lines;
  const inWidth = Number.isFinite(most)
    ? visibleLines.map(
        ([line, isHead]) => [cut(line, paper.width, paper.glyphs.more), isHead] as const,
      )
    : visibleLines;
  const moreText = many(
    lines.length - most,
    isNewest ? 'line before' : 'more line',
    isNewest ? 'lines before' : 'more lines',
  );
  const note = isCut ? [paper.paint(`  ${moreText}: --section ${name}, or --full`, 'gray')] : [];
  return [
    rule(paper, name, several),
    ...(isNewest ? note : []),
    ...inWidth.map(([line, isHead]) => (isHead ? paper.paint(line, 'cyan') : line)),
    ...(isNewest ? [] : note),
  ];
}

/** Whether {@link sectionLines} leaves lines of the section out. */
export function isSectionCut(
  { messages }: ShownSection,
  { paper, most }: { paper: Paper; most: number },
): boolean {
  return messages.flatMap((message) => messageLines(message, paper)).length > most;
}

type SectionLine = readonly [text: string, isHead: boolean];

function messageLines(message: OutMessage, paper: Paper): readonly SectionLine[] {
  const text = messageText(message)
    .split('\n')
    .map((line): SectionLine => [line, false]);
  if (message.kind === 'made') return text;
  return [[`${paper.glyphs.note} ${messageHead(message)}`, true], ...text];
}
