import { signal } from '@preact/signals';
import type { Lane } from '../lane/lane.ts';
import { ask, whyUnread } from '../lane/source.ts';
import { statusWord } from '../model/history.ts';
import type { FoundEntry, Lacking as Answer } from '../model/wire.ts';
import type { Unread } from '../model/words/unread.ts';

/** What somebody asked for: entries of a lane, or of other sessions of its store. */
export interface Look {
  readonly lane: Lane;
  readonly title: string;
  /** What it is about, in a line; '' for no more than the title says. */
  readonly about: string;
  /** Null until they were read. */
  readonly entries: readonly FoundEntry[] | null;
  /** Why they could not be read; null where they were, or may be. */
  readonly unread: Unread | null;
  /** What is marked in them. */
  readonly words: readonly string[];
}

/** Entries that somebody asked for; null where nobody did. */
export const looked = signal<Look | null>(null);

/** Shows what a lane answers, with some words marked. */
export async function look(
  lane: Lane,
  request: {
    readonly title: string;
    readonly about?: string;
    readonly route: string;
    readonly params: Readonly<Record<string, string | number>>;
    readonly words?: readonly string[];
  },
): Promise<void> {
  const { title, about = '', route, params, words = [] } = request;
  const wanted: Look = { lane, title, about, entries: null, unread: null, words };
  looked.value = wanted;
  const answer = await answerOf(ask<readonly FoundEntry[]>(lane.path(route, params)));
  if (looked.value === wanted)
    looked.value = { ...wanted, entries: answer.value, unread: answer.unread };
}

/** What is answered, or why nothing was. */
async function answerOf<T>(
  answer: Promise<T>,
): Promise<{ readonly value: T | null; readonly unread: Unread | null }> {
  try {
    return { value: await answer, unread: null };
  } catch (error) {
    return { value: null, unread: whyUnread(error) };
  }
}

/** Shows the entries of an id or a range, or the log of a frame; of a hit with its words marked. */
export function lookAt(lane: Lane, ref: string, words: readonly string[] = []): void {
  const frame = ref.startsWith('f') ? lane.history.frames.get(ref) : undefined;
  const route = ref.startsWith('f') ? 'frame' : 'entries';
  const about = frame === undefined ? '' : `The log of ${ref}, ${statusWord(frame.status)}`;
  void look(lane, { title: frame?.title ?? ref, about, route, params: { of: ref }, words });
}

/** Shows where a name was said that the prompt lost at a step. */
export const lookForName = (lane: Lane, name: string, seq: number): Promise<void> =>
  look(lane, {
    title: `Where “${name}” was said`,
    route: 'named',
    params: { seq, of: name },
    words: [name],
  });

/** Names that a prompt lacks, which somebody asked for. */
export interface LackingNames {
  readonly lane: Lane;
  /** The step of the prompt. */
  readonly seq: number;
  /** Null until they were read. */
  readonly names: Answer | null;
  /** Why they could not be read; null where they were, or may be. */
  readonly unread: Unread | null;
}

/** Those that somebody asked for; null where nobody did. */
export const lacking = signal<LackingNames | null>(null);

/** Shows the names that the prompt lacks after a step. */
export async function lookForLacking(lane: Lane, seq: number): Promise<void> {
  const wanted: LackingNames = { lane, seq, names: null, unread: null };
  lacking.value = wanted;
  const answer = await answerOf(ask<Answer>(lane.path('lacking', { seq })));
  if (lacking.value === wanted)
    lacking.value = { ...wanted, names: answer.value, unread: answer.unread };
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
    params: { seq, of: sentence },
    words: sentence.match(/[\p{L}\p{N}_./-]{5,}/gu) ?? [],
  });
