import type { Request } from './request.ts';

/** What a rule knows of a request before it sees the count. */
interface RequestEvidence {
  /** The request before that told its count; null before the first. */
  readonly before: { readonly estimate: number; readonly counted: number } | null;
  /** Tokens of the server for one of ours, learned from counts above suspicion. */
  readonly ratio: number;
}

/** One way to tell a cut prompt from a whole one. */
export interface Detector {
  readonly name: string;
  readonly finds: (request: Request, known: RequestEvidence) => boolean;
}

const low = (share: number, { counted, estimate }: Request, ratio = 1): boolean =>
  counted !== null && counted < share * estimate * ratio;

const isLow = (request: Request, { ratio }: RequestEvidence): boolean => low(0.93, request, ratio);

/** What others do, and this engine. */
export const detectors: readonly Detector[] = [
  {
    name: 'count fell, prompt grew',
    finds: ({ counted, estimate }, { before }) =>
      counted !== null &&
      before !== null &&
      counted <= before.counted &&
      estimate > before.estimate,
  },
  { name: '< 0.85 × estimate', finds: (request) => low(0.85, request) },
  { name: '< 0.93 × estimate × ratio', finds: isLow },
  {
    name: 'that, refused, or > window',
    finds: (request, known) =>
      isLow(request, known) ||
      request.fate === 'refused' ||
      (request.window !== null && request.estimate * known.ratio > request.window),
  },
  { name: 'flamestack', finds: ({ verdict }) => verdict !== 'none' },
];

/** How often one detector was right. */
export interface Score {
  readonly name: string;
  /** Cut prompts that it found on the very call, by what became of them. */
  readonly found: Readonly<Record<Exclude<Request['fate'], 'whole'>, number>>;
  /** Whole prompts that it took for cut. */
  readonly alarms: number;
}

/** What the detectors said of the requests of one session, in order. */
export function scoresOf(requests: readonly Request[]): readonly Score[] {
  const tallies = detectors.map(({ name, finds }) => ({
    name,
    finds,
    found: { dropped: 0, middle: 0, refused: 0 },
    alarms: 0,
  }));
  let known: RequestEvidence = { before: null, ratio: 1 };
  for (const request of requests) {
    for (const tally of tallies) {
      if (!tally.finds(request, known)) continue;
      if (request.fate === 'whole') tally.alarms += 1;
      else tally.found[request.fate] += 1;
    }
    known = after(request, known);
  }
  return tallies.map(({ name, found, alarms }) => ({ name, found, alarms }));
}

/** The ratio is learned from counts within a tenth of what was expected; each new one weighs a fifth. */
function after({ estimate, counted }: Request, known: RequestEvidence): RequestEvidence {
  if (counted === null) return known;
  const isCredible = counted > 0.9 * estimate * known.ratio;
  const ratio = isCredible ? 0.8 * known.ratio + (0.2 * counted) / estimate : known.ratio;
  return { before: { estimate, counted }, ratio };
}
