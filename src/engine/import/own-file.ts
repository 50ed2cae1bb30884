import { fail, type EngineError } from '../../core/values/error.ts';
import type { Source, Step } from '../../import/source/step.ts';
import { isSaid, type Playable } from './import-step.ts';

/** A session that stands in the store already, with entries. */
export interface StandingSession {
  readonly id: string;
  readonly title: string;
  /** The program whose session it is, where one is named. */
  readonly agent?: string;
  readonly entries: number;
}

/** What is asked about the file and the session that it goes to. */
interface FileCheck {
  readonly source: Source;
  readonly format: string;
  /** The session of the file, or that which was named; null where it is new or empty. */
  readonly standing: (own: string) => Promise<StandingSession | null>;
  /** Whether the session has what a step says. */
  readonly isTaken: (session: string, step: Playable) => Promise<boolean>;
}

/** Messages of a file that are looked for before it is another's: its first lines may have been broken when it was read before. */
const mostOpening = 64;

/**
 * The steps of a file, held back until the session that stands is known to have one of its messages:
 * another's would be mixed in. Throws `IMPORT_MISMATCH` where it has none of the first.
 */
export async function* stepsOfOwn(
  steps: AsyncIterable<Step>,
  check: FileCheck,
): AsyncIterable<Step> {
  let standing: StandingSession | null = null;
  let looked = 0;
  const held: Step[] = [];
  for await (const step of steps) {
    if (step.type === 'session') standing = await check.standing(step.id);
    else if (standing !== null && isSaid(step)) {
      looked += 1;
      if (await check.isTaken(standing.id, step)) standing = null;
      else if (looked === mostOpening) throw mismatch(standing, check);
    }
    held.push(step);
    if (standing === null) yield* held.splice(0);
  }
  if (standing !== null && looked > 0) throw mismatch(standing, check);
  yield* held;
}

function mismatch(standing: StandingSession, { source, format }: FileCheck): EngineError {
  const { id, title, agent, entries } = standing;
  const whose = agent === undefined ? '' : ` of ${agent}`;
  return fail(
    'IMPORT_MISMATCH',
    `Session "${id}" is another one${whose} ("${title}", ${entries} ${entries === 1 ? 'entry' : 'entries'}): none of what ${source.name} says in ${format} is in it; nothing was added`,
    {
      source: source.name,
      format,
      session: id,
      title,
      entries,
      ...(agent === undefined ? {} : { agent }),
    },
  );
}
