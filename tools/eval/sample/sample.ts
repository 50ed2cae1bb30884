import type { Section } from '../../../src/index.ts';
import { contextsAt, type Playing } from '../contexts.ts';
import type { MethodKind } from '../method.ts';
import { draw, randomOf } from '../../random.ts';
import { sectionLines, type SectionLine } from './section-line.ts';
import { sourcesIn, type LineSource } from './sources.ts';

/** Lines of a section, drawn by lot, each with what it came from. */
export interface Sample {
  readonly session: string;
  readonly method: string;
  readonly budget: number;
  readonly section: Section;
  /** Lines of the section, each text once. */
  readonly of: number;
  readonly lines: readonly (Omit<SectionLine, 'named'> & {
    readonly sources: readonly LineSource[];
  })[];
}

/** What to draw. */
export interface Lot {
  readonly section: Section;
  readonly count: number;
  readonly seed: number;
}

/** Parts of a session at whose ends a context is looked at. */
const parts = 4;

/** Draws lines of a section out of the contexts at the ends of the quarters of a session. */
export async function sampleOf(
  kind: MethodKind,
  { section, count, seed }: Lot,
  playing: Playing,
): Promise<Sample> {
  const { history, budget } = playing;
  const { entries, file: session } = history;
  const places = Array.from({ length: parts }, (_, part) =>
    Math.round(((part + 1) * entries.length) / parts),
  );
  const lines = new Map<string, SectionLine>();
  for await (const moment of contextsAt(kind, places, playing))
    for (const line of sectionLines(moment, section))
      if (!lines.has(line.text)) lines.set(line.text, line);
  const sources = sourcesIn(entries);
  const drawn = draw([...lines.values()], count, randomOf(seed));
  return {
    session,
    method: kind.name,
    budget,
    section,
    of: lines.size,
    lines: drawn.map((line) => {
      const { text, under, place } = line;
      return { text, under, place, sources: sources(line) };
    }),
  };
}
