import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** A small fault: what stands at a place of a source is replaced. Lines and columns count from 0. */
export interface Mutant {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
  readonly kind: string;
  readonly replacement: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Sources in which each mutant is there, behind a switch; ids are places in the list of mutants. */
export interface Instrumented {
  readonly sources: Readonly<Record<string, string>>;
  readonly mutants: readonly Mutant[];
}

const options = { plugins: null, ignorers: [], excludedMutations: [] };
const silent = { debug() {}, info() {}, isDebugEnabled: () => false };
const instrumenter = new Instrumenter(silent as unknown as never);

/** The sources in a folder, or the one file. */
export function sourcesIn(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted();
  return files.filter((file) => file.endsWith('.ts')).map((file) => join(path, file));
}

/** Files with their mutants; of all places, or only of those that `chosen` stand at. */
export async function instrument(
  files: readonly string[],
  chosen?: readonly Mutant[],
): Promise<Instrumented> {
  const given = files.map((name) => ({
    name,
    content: readFileSync(name, 'utf8'),
    mutate: chosen?.filter(({ file }) => file === name) ?? true,
  }));
  const made = await instrumenter.instrument(given, options);
  return {
    sources: Object.fromEntries(made.files.map(({ name, content }) => [name, content])),
    mutants: made.mutants.map(({ fileName, location, mutatorName, replacement }) => {
      return { file: fileName, ...location, kind: mutatorName, replacement };
    }),
  };
}

/** One mutant for each place, in an order that the numbers lead to. */
export function shuffled<One>(
  mutants: readonly One[],
  placeOf: (one: One) => string,
  random: () => number,
): readonly One[] {
  const byPlace = new Map<string, One[]>();
  for (const mutant of mutants) {
    const place = placeOf(mutant);
    byPlace.set(place, [...(byPlace.get(place) ?? []), mutant]);
  }
  const places = [...byPlace.values()];
  for (let at = places.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [places[at], places[other]] = [places[other]!, places[at]!];
  }
  return places.map((those) => those[Math.floor(random() * those.length)]!);
}

/** A source with a mutant in it. */
export function applied(mutant: Mutant, source: string): string {
  const [start, end] = spanOf(mutant, source);
  const { kind, replacement } = mutant;
  const isStatement = kind === 'BlockStatement' || /^(case|default|for)\b/.test(replacement);
  const now = isStatement ? replacement : `(${replacement})`;
  return source.slice(0, start) + now + source.slice(end);
}

/** Where a mutant is, and what it makes of what, in a line. */
export function lineOf(mutant: Mutant): string {
  const { file, start, replacement } = mutant;
  const source = readFileSync(file, 'utf8');
  const [was, now] = [source.slice(...spanOf(mutant, source)), replacement].map((code) => {
    const line = code.replaceAll(/\s+/g, ' ');
    return line.length > 100 ? `${line.slice(0, 60)} … ${line.slice(-38)}` : line;
  });
  return `${file}:${start.line + 1}:${start.column + 1} ${was} → ${now}`;
}

function spanOf({ start, end }: Mutant, source: string): [number, number] {
  const lines = source.split('\n').map((line) => line.length + 1);
  const offset = ({ line, column }: Position): number =>
    lines.slice(0, line).reduce((sum, length) => sum + length, column);
  return [offset(start), offset(end)];
}

/** A mutant's place and what it does there, as one text. */
export const nameOf = (mutant: Mutant): string =>
  `${placeOf(mutant)} ${mutant.kind} ${mutant.replacement}`;

/** Where a mutant is. */
export const placeOf = ({ file, start, end }: Mutant): string =>
  `${file}:${start.line}:${start.column}-${end.line}:${end.column}`;
