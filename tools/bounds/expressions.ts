import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { pumpsIn } from './pattern.ts';

// Every regular expression that stands in the sources is found by parsing them, and given texts that are made of
// it: what leads to a place where it takes as much as there is, what it takes there, many times, and an end that
// it does not take. Its time may grow as the text does.

/** A regular expression, and where it stands. */
export interface Expression {
  readonly at: string;
  readonly shape: RegExp;
}

/** An expression by its file and itself, wherever in the file it stands. */
export const nameOf = ({ at, shape }: Expression): string =>
  `${at.slice(0, at.lastIndexOf(':'))} ${String(shape)}`;

/** The regular expressions in the TypeScript files of a folder. */
export function expressionsIn(folder: string): readonly Expression[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return files
    .toSorted()
    .flatMap((file) => expressionsOf(file, readFileSync(join(folder, file), 'utf8')));
}

/** The regular expressions of a source. */
export function expressionsOf(file: string, source: string): readonly Expression[] {
  const found: Expression[] = [];
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      const line = source.slice(0, node.start).split('\n').length;
      found.push({ at: `${file}:${line}`, shape: new RegExp(pattern, flags) });
    },
  }).visit(program);
  return found;
}

/** Lengths of texts, short ones first: what grows with a power of two never gets far. */
const lengths = [22, 28, 40, 56, 80, 112, 160, 224, 320, 1_024, 2_048];
/** The length that is judged, the one before, and the one that has to agree where the first took little time, in characters. */
const [shorter, longer, longest] = [2_048, 8_192, 32_768];
/** Time that no shorter text may take, below which nothing is judged, and below which a longer text has to agree, in milliseconds. */
const [most, least, little] = [60, 4, 200];
/** Texts that are tried of each, so that all of them end. */
const mostTexts = 48;
/** Growth from the one to the other that is judged too much: what is linear grows by 4, what is quadratic by 16. */
const steep = 9;
/** Ends that most places do not take. */
const ends = ['\u0001', '\n\u0001', '', '!', 'a\u0001'];

/** What an expression does as its text gets longer, in words; null where its time keeps to the length. */
export function growthOfExpression(shape: RegExp): string | null {
  for (const { label, make } of textsFor(shape)) {
    const text = (length: number): string => make(length);
    for (const length of lengths) {
      const took = timeOf(shape, text(length));
      // Something else may have had the processor.
      if (took > most && timeOf(shape, text(length)) > most)
        return `${label}: ${took.toFixed(0)} ms at ${length}`;
    }
    if (timeOf(shape, text(longer)) < least) continue;
    const best = (length: number): number =>
      Math.min(...Array.from({ length: 3 }, () => timeOf(shape, text(length))));
    const [before, after] = [best(shorter), best(longer)];
    if (after <= least || after / before <= steep) continue;
    if (after < little && best(longest) / after <= steep) continue;
    return `${label}: ${before.toFixed(1)} → ${after.toFixed(0)} ms at ${longer}`;
  }
  return null;
}

interface Text {
  readonly label: string;
  readonly make: (length: number) => string;
}

/** Texts that an expression may choke on. */
function textsFor(shape: RegExp): readonly Text[] {
  const { pumps, samples } = pumpsIn(shape);
  const units = [...new Set(pumps.flatMap((pump) => pump.units))].filter(Boolean).slice(0, 12);
  const texts = new Map<string, Text>();
  const add = (before: string, unit: string, end: string): void => {
    const label = JSON.stringify([before, unit, end]);
    const make = (length: number): string =>
      before + unit.repeat(Math.ceil(length / unit.length)) + end;
    if (unit !== '') texts.set(label, { label, make });
  };
  for (const { before, units: own } of pumps)
    for (const end of ends) {
      for (const unit of new Set([...own, ...units])) add(before, unit, end);
      for (const unit of own) add('', before + unit, end);
    }
  for (const one of samples) {
    add('', one.slice(0, -1), '');
    add('', one, '\u0001');
  }
  return evenly([...texts.values()], mostTexts);
}

/** So many of a list, from all over it. */
function evenly<One>(list: readonly One[], most: number): readonly One[] {
  const step = Math.max(1, list.length / most);
  return Array.from({ length: Math.min(most, list.length) }, (_, n) => list[Math.floor(n * step)]!);
}

function timeOf(shape: RegExp, text: string): number {
  const start = performance.now();
  // All of them, as a replacement finds them.
  if (shape.global) text.replace(shape, '');
  else shape.exec(text);
  shape.lastIndex = 0;
  return performance.now() - start;
}
