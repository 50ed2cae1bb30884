import type { SessionRead, StoreRead } from './answer.ts';
import type { Original } from './original.ts';
import type { Outcome } from './opener.ts';
import { isHeld, type Held } from './sound-bytes.ts';

/** What came of one damaged store. */
export interface Verdict {
  /** What became of opening it. */
  readonly opened: 'refused' | 'told' | 'whole' | 'end lost';
  /** Entries whose bytes are sound, and how many of them the salvage brought back. */
  readonly sound: number;
  readonly back: number;
  /** What must not be, in words; each begins with its kind. */
  readonly faults: readonly string[];
}

/** What was lost of a store as it is read, and whether somebody said so. */
interface Loss {
  readonly session: string;
  /** What it is, for a fault. */
  readonly what: string;
  readonly isTold: boolean;
  /** Whether it is what was said last, so that nobody can tell it from what was never said. */
  readonly isEnd: boolean;
}

/** Judges what was read of a damaged store, and of what was salvaged of it. */
export function judge(
  original: Original,
  outcomes: { readonly read: Outcome; readonly salvage: Outcome },
  given: { readonly held: readonly Held[]; readonly files: readonly Buffer[] },
): Verdict {
  const faults: string[] = [];
  const opened = judgeRead(original, outcomes.read, faults);
  const { sound, back } = judgeSalvage(original, outcomes.salvage, { ...given, faults });
  return { opened, sound, back, faults };
}

function judgeRead(original: Original, outcome: Outcome, faults: string[]): Verdict['opened'] {
  const read = readOf(outcome, 'opening', faults);
  if (read === undefined || read.refused !== undefined) return 'refused';
  const losses = [...original.sessions].flatMap(([id, said]) => {
    const one = read.sessions[id]!;
    const check = read.checks.find((found) => found.id === id);
    const isSaid = read.damagedFiles.length + read.errors.length > 0;
    const isNamed = check?.isSound === false || isSaid;
    faults.push(...wrongIn(id, said, one));
    if (!read.listed.includes(id) && !isSaid && one.refused === undefined)
      faults.push(`silent: ${id} is not listed`);
    return lossesOf(id, said, { read: one, isNamed });
  });
  const silent = losses.filter(({ isTold }) => !isTold);
  if (silent.length === 0) return losses.length === 0 ? 'whole' : 'told';
  if (!original.isClosed && silent.every(({ isEnd }) => isEnd)) return 'end lost';
  faults.push(...silent.map(({ session, what }) => `silent: ${session} ${what}`));
  return 'told';
}

/** What is lost of a session; `isNamed` where something was said of all of it. */
function lossesOf(
  session: string,
  said: readonly string[],
  { read, isNamed }: { readonly read: SessionRead; readonly isNamed: boolean },
): readonly Loss[] {
  const isRefused = read.refused !== undefined && read.refused !== 'OPTION_INVALID';
  const isSaid = isNamed || isRefused;
  const numbers = said.map((_, at) => at + 1);
  const missing = numbers.filter((n) => read.entries[`e${n}`] === undefined);
  const end = said.length - endOf(missing, said.length);
  const isIn = (n: number): boolean => read.lost.some(([from, to]) => from <= n && n <= to);
  const entries = missing.map((n) => ({
    session,
    what: `e${n} is gone`,
    isTold: isSaid || isIn(n),
    isEnd: n > end,
  }));
  if (read.next === undefined) return entries;
  const keys = numbers.filter((n) => read.keys[`e${n}`] !== `e${n}` && !missing.includes(n));
  const next = Number(read.next.slice(1));
  const again = next > said.length ? [] : [`e${next} is given out again`];
  return [
    ...entries,
    ...keys.map((n) => ({ session, what: `key ${n} is gone`, isTold: isSaid, isEnd: false })),
    ...again.map((what) => ({ session, what, isTold: false, isEnd: next > end })),
  ];
}

/** How many of the last numbers up to `last` are missing without a gap. */
function endOf(missing: readonly number[], last: number): number {
  const gone = new Set(missing);
  let n = last;
  while (gone.has(n)) n -= 1;
  return last - n;
}

/** Values that are not what was written. */
function wrongIn(id: string, said: readonly string[], { entries }: SessionRead): string[] {
  return Object.entries(entries)
    .filter(([entry, text]) => said[Number(entry.slice(1)) - 1] !== text)
    .map(([entry]) => `wrong: ${id} ${entry}`);
}

function judgeSalvage(
  original: Original,
  outcome: Outcome,
  {
    held,
    files,
    faults,
  }: {
    readonly held: readonly Held[];
    readonly files: readonly Buffer[];
    readonly faults: string[];
  },
): Pick<Verdict, 'sound' | 'back'> {
  const sound = new Set<string>();
  for (const one of held) {
    const name = `${one.session} e${one.n}`;
    if (!sound.has(name) && isHeld(one, files)) sound.add(name);
  }
  const read = readOf(outcome, 'salvage', faults);
  if (read === undefined || 'ended' in outcome) return { sound: sound.size, back: 0 };
  if (read.refused !== undefined) faults.push(`salvage: the new store is refused: ${read.refused}`);
  const back = [...sound].filter((name) => {
    const [id, entry] = name.split(' ') as [string, string];
    return read.sessions[id]?.entries[entry] !== undefined;
  });
  if (back.length < sound.size)
    faults.push(`salvage: ${sound.size - back.length} sound are not back`);
  for (const [id, said] of original.sessions) {
    const one = read.sessions[id];
    if (one === undefined) continue;
    faults.push(...wrongIn(id, said, one).map((fault) => `${fault} in the salvage`));
    if (one.refused !== undefined) faults.push(`salvage: ${id} is refused: ${one.refused}`);
    const named = outcome.salvage!.sessions.find((session) => session.id === id);
    const isNamed =
      (named?.rebuiltAfter ?? undefined) !== undefined || outcome.salvage!.files.length > 0;
    const silent = lossesOf(id, said, { read: one, isNamed }).filter(({ isTold }) => !isTold);
    const isEnd = silent.every((loss) => loss.isEnd);
    const isNoted = original.isClosed && outcome.salvage!.files.length > 0;
    if (!isEnd || (original.isClosed && !isNoted))
      faults.push(...silent.map(({ what }) => `silent: ${id} ${what} in the salvage`));
  }
  return { sound: sound.size, back: back.length };
}

/** What was read; where nothing was, the fault is noted. */
function readOf(outcome: Outcome, of: string, faults: string[]): StoreRead | undefined {
  if ('ended' in outcome) faults.push(`${outcome.ended}: ${of}`);
  else if (outcome.failure !== undefined) faults.push(`${of}: ${outcome.failure}`);
  else {
    const codes = [
      outcome.read!.refused,
      ...outcome.read!.errors,
      ...Object.values(outcome.read!.sessions).map((one) => one.refused),
    ];
    const strange = codes.filter((code) => code?.startsWith('unexpected'));
    faults.push(...strange.map((code) => `${of}: ${code}`));
    return outcome.read!;
  }
  return undefined;
}
