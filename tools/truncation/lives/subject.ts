import { farOf } from '../../eval/far.ts';
import { readHistory, type Entry, type History } from '../../eval/history.ts';
import { needsOfAll, type Reference } from '../../eval/needs.ts';
import { presenceOf } from '../../eval/presence.ts';
import { readerOf } from '../../eval/reader.ts';
import { partsOf, textOfParts } from '../../eval/said.ts';
import type { Assembly, OutMessage } from '../../../src/index.ts';

/** A session file with what each of its answers needs from afar. */
export interface Subject {
  readonly history: History;
  readonly window: number;
  readonly far: readonly (readonly Reference[])[];
  /** How many of the far references of an entry stand in an assembly. */
  readonly kept: (assembly: Assembly, entry: Entry) => number;
}

/** Reads a session file for sessions with a window of so many tokens. */
export async function subjectOf(file: string, window: number): Promise<Subject> {
  const history = await readHistory(file);
  const needs = needsOfAll(history.entries);
  const reader = readerOf(needs);
  const all = farOf(history.entries, needs, { budget: window, reader });
  const far = all.map(({ names }) => names);
  const presence = presenceOf(needs.traces.length);
  const texts = new WeakMap<OutMessage, string>();
  const textOf = (message: OutMessage): string => {
    const known = texts.get(message) ?? textOfParts(partsOf(message));
    texts.set(message, known);
    return known;
  };
  return {
    history,
    window,
    far,
    kept({ messages }, { place }) {
      presence.show(messages.map((one) => reader.read(textOf(one), one.kind === 'entry')));
      return far[place]!.filter(({ trace }) => presence.has(trace)).length;
    },
  };
}
