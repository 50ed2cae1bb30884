import type { FrameNode, Gap, Session } from '../../index.ts';
import { partitionPoint } from '../../viewer/page/partition-point.ts';
import type { Prompt, PromptMessage } from '../../viewer/page/session/model/wire.ts';
import { cleanLine } from '../paper/clean.ts';
import { promptOf } from '../view/prompt-answer.ts';

/** The part of a prompt, or the checkpoint, whose line tells of an entry, by the position of the entry. */
export type EntryMentions = ReadonlyMap<number, string>;

/** What is read of a session at one moment. */
export interface Moment {
  readonly seq: number;
  /** How many entries there were. */
  readonly entries: number;
  readonly prompt: Prompt;
  /** Entries that did not stand in the prompt word for word, in order. */
  readonly gaps: readonly Gap[];
  /** Entries that a line of the prompt names. */
  readonly mentions: EntryMentions;
  readonly tree: FrameNode;
}

/** Reads what a session was after a step. */
export async function readMoment(session: Session, seq: number): Promise<Moment> {
  const view = await session.at({ seq });
  const prompt = await promptOf(seq, view);
  const { messages } = prompt;
  const { entries } = view.state;
  return {
    seq,
    entries,
    prompt,
    gaps: view.missing(),
    mentions: toldIn(messages),
    tree: view.tree(),
  };
}

/** A line that leads to others alone, and one that frames them. */
const leads = /^After e\d+:$|^<\/?\w/;

/** Ids of entries, and ranges of them, which tell of none. */
const ids = /\be(\d+)\b(?:\s?[-–]\s?e\d+)?/g;

/** The entries that lines of made parts name. */
export function toldIn(messages: readonly PromptMessage[]): EntryMentions {
  const mentions = new Map<number, string>();
  for (const { kind, section, text } of messages) {
    if (kind !== 'made' || section === 'system') continue;
    let teller = section;
    for (const line of text.split('\n')) {
      teller = /^<checkpoint id="(c\d+)"/.exec(line)?.[1] ?? teller;
      if (leads.test(line)) continue;
      for (const { 0: whole, 1: n } of line.matchAll(ids))
        if (/^e\d+$/.test(whole) && !mentions.has(Number(n))) mentions.set(Number(n), teller);
    }
  }
  return mentions;
}

/** The lines of a prompt that name an entry, each on one line. */
export function linesNaming(messages: readonly PromptMessage[], n: number): readonly string[] {
  const named = new RegExp(`\\be${n}\\b`);
  return messages
    .filter(({ kind, section }) => kind === 'made' && section !== 'system')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => named.test(line) && !leads.test(line))
    .map(cleanLine);
}

/** How an entry stands in the prompt of a moment. */
export interface Standing {
  readonly mark: 'whole' | 'partial' | 'hidden';
  /** By what it is told, or what it is behind; '' where it stands there whole. */
  readonly by: string;
  /** The same in a sentence. */
  readonly words: string;
}

/** How the entry at a position stands in the prompt. */
export function standingOf(
  { gaps, mentions }: Pick<Moment, 'gaps' | 'mentions'>,
  n: number,
): Standing {
  const gap = gapAt(gaps, n);
  if (gap === undefined) return { mark: 'whole', by: '', words: 'in the prompt word for word' };
  if (gap.place === 'shortened')
    return { mark: 'partial', by: 'in part', words: 'in the prompt in part' };
  const teller = mentions.get(n);
  if (teller !== undefined)
    return { mark: 'partial', by: `in ${teller}`, words: `in the prompt by a line in ${teller}` };
  const [by, words] = behind(gap);
  return { mark: 'hidden', by, words: `not in the prompt; ${words}` };
}

/** How many entries stand in the prompt in each way. */
export function standingCounts({
  gaps,
  mentions,
  entries,
}: Pick<Moment, 'gaps' | 'mentions' | 'entries'>): Readonly<Record<Standing['mark'], number>> {
  let missing = 0;
  let partly = 0;
  for (const { from, entries: size, place } of gaps) {
    missing += size;
    const first = positionOf(from);
    if (place === 'shortened') partly += size;
    else for (let n = first; n < first + size; n += 1) if (mentions.has(n)) partly += 1;
  }
  return { whole: entries - missing, partial: partly, hidden: missing - partly };
}

/** The position of an entry in the log, from 1. */
export const positionOf = (id: string): number => Number(id.slice(1));

function gapAt(gaps: readonly Gap[], n: number): Gap | undefined {
  const gap = gaps[partitionPoint(gaps.length, (index) => positionOf(gaps[index]!.to) < n)];
  return gap !== undefined && positionOf(gap.from) <= n ? gap : undefined;
}

/** What an entry is behind that no line tells of: in a word or two, and in some more. */
function behind({ place, frame, checkpoint }: Gap): readonly [short: string, long: string] {
  switch (place) {
    case 'checkpoint':
      return [`behind ${checkpoint ?? place}`, `behind checkpoint ${checkpoint ?? ''}`];
    case 'partial':
      return [`so far in ${frame}`, `behind what frame ${frame} has so far`];
    case 'results':
      return [`results of ${frame}`, `behind the results of frame ${frame}`];
    case 'offloaded':
      return ['breadcrumb', 'behind a breadcrumb'];
    case 'left':
      return ['branch left', 'on a branch that was left'];
    case 'invalidated':
      return [`${frame} given up`, `behind the one line of frame ${frame}, which was given up`];
    case 'shortened':
      return ['in part', 'in part'];
  }
}
