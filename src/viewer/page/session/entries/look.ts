import { signal } from '@preact/signals';
import type { Lane } from '../lane/lane.ts';
import { ask } from '../lane/source.ts';
import { statusWord } from '../told/history.ts';
import type { FoundEntry, Lacking as Answer } from '../told/wire.ts';

/** What somebody asked for: entries of a lane, or of other sessions of its store. */
export interface Look {
  readonly lane: Lane;
  readonly title: string;
  /** What it is about, in a line; '' for no more than the title says. */
  readonly about: string;
  /** Null until they were read. */
  readonly entries: readonly FoundEntry[] | null;
  /** What is marked in them. */
  readonly words: readonly string[];
}

/** Entries that somebody asked for; null where nobody did. */
export const looked = signal<Look | null>(null);

/** Shows what a lane answers, with some words marked. */
export async function look(
  lane: Lane,
  given: {
    readonly title: string;
    readonly about?: string;
    readonly route: string;
    readonly asked: Readonly<Record<string, string | number>>;
    readonly words?: readonly string[];
  },
): Promise<void> {
  const { title, about = '', route, asked, words = [] } = given;
  const wanted: Look = { lane, title, about, entries: null, words };
  looked.value = wanted;
  const entries = await ask<readonly FoundEntry[]>(lane.path(route, asked)).catch(() => []);
  if (looked.value === wanted) looked.value = { ...wanted, entries };
}

/** Shows the entries of an id or a range, or the log of a frame; of a hit with its words marked. */
export function lookAt(lane: Lane, ref: string, words: readonly string[] = []): void {
  const frame = ref.startsWith('f') ? lane.history.frames.get(ref) : undefined;
  const route = ref.startsWith('f') ? 'frame' : 'entries';
  const about = frame === undefined ? '' : `The log of ${ref}, ${statusWord(frame.status)}`;
  void look(lane, { title: frame?.title ?? ref, about, route, asked: { of: ref }, words });
}

/** Shows where a name was said that the prompt lost at a step. */
export const lookForName = (lane: Lane, name: string, seq: number): Promise<void> =>
  look(lane, {
    title: `Where “${name}” was said`,
    route: 'named',
    asked: { seq, of: name },
    words: [name],
  });

/** Names that a prompt lacks, which somebody asked for. */
export interface LackingNames {
  readonly lane: Lane;
  /** The step of the prompt. */
  readonly seq: number;
  /** Null until they were read. */
  readonly told: Answer | null;
}

/** Those that somebody asked for; null where nobody did. */
export const lacking = signal<LackingNames | null>(null);

/** Shows the names that the prompt lacks after a step. */
export async function lookForLacking(lane: Lane, seq: number): Promise<void> {
  const wanted: LackingNames = { lane, seq, told: null };
  lacking.value = wanted;
  const none: Answer = { kept: 0, lost: [] };
  const told = await ask<Answer>(lane.path('lacking', { seq })).catch(() => none);
  if (lacking.value === wanted) lacking.value = { ...wanted, told };
}

/** Closes what was opened last. */
export function closeLast(): void {
  if (looked.value === null) lacking.value = null;
  looked.value = null;
}

/** Shows where the words of a sentence come from that the prompt had after a step. */
export const lookForSources = (lane: Lane, sentence: string, seq: number): Promise<void> =>
  look(lane, {
    title: 'Where this comes from',
    about: `“${sentence}” The likeliest entries first.`,
    route: 'sources',
    asked: { seq, of: sentence },
    words: sentence.match(/[\p{L}\p{N}_./-]{5,}/gu) ?? [],
  });
