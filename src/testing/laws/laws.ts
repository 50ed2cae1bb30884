import type { Assembly } from '../../core/assembly/assembly.ts';
import { isEngineError } from '../../core/values/error.ts';
import type { Session } from '../../engine/session/session.ts';
import { checkpointFaults, compressionFaults } from './compression.ts';
import { coverageFaults } from './coverage.ts';
import { fitFaults } from './fit.ts';
import type { Law, LawContext, Violation } from './law.ts';
import { pairFaults, validFaults } from './order.ts';
import { prefixFaults } from './prefix.ts';
import { treeFaults } from './tree.ts';
import { newestFaults, verbatimFaults } from './verbatim.ts';
import { noteState, type Witness } from './witness.ts';

// The laws of design §4, judged from outside: by what a session answers, what
// it announces, and what the witness wrote down itself. Nothing of the engine
// is used to judge the engine but the vocabulary that counts tokens.

const checks: readonly (readonly [Law, (seen: LawContext) => Iterable<string>])[] = [
  ['fit', fitFaults],
  ['prefix', prefixFaults],
  ['pair', pairFaults],
  ['valid', validFaults],
  ['never rewritten', verbatimFaults],
  ['newest human', newestFaults],
  ['coverage', coverageFaults],
  ['checkpoints', checkpointFaults],
  ['compression', compressionFaults],
  ['tree', treeFaults],
];

/** What one check found. */
export interface Judgment {
  /** The assembly that was judged; null where there was none. */
  readonly assembly: Assembly | null;
  readonly violations: readonly Violation[];
}

/** How a session is checked. */
export interface CheckOptions {
  /** Whether every entry is asked for, and nothing is taken from memory. */
  readonly thorough?: boolean;
  /** Tools that are offered with the assembly. */
  readonly tools?: readonly unknown[];
}

/**
 * Checks every law at this moment: `before` is the assembly of the last check,
 * `witness` what the session was given and announced since. Never throws: what
 * the session throws is a violation.
 */
export async function checkLaws(
  before: Assembly | null,
  session: Session,
  options: CheckOptions & { witness: Witness },
): Promise<Judgment> {
  const { witness, thorough = false, tools = [] } = options;
  const violations: Violation[] = [];
  let assembly: Assembly | null = null;
  try {
    const stepped = session.state;
    let again: Assembly | null = null;
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      assembly = await session.assemble({ tools });
      await session.append([]);
      again = await session.assemble({ tools });
      if (assembly.id === again.id && again.id.startsWith(`a${session.state.seq}-`)) break;
    }
    const { state } = session;
    noteState(witness, state);
    const seen = {
      before,
      assembly: assembly!,
      again: again!,
      session,
      stepped,
      state,
      witness,
      thorough,
    };
    for (const [law, check] of checks)
      for (const what of check(seen)) violations.push({ law, what });
    Object.assign(witness, nothingHeard());
    if (thorough) violations.push(...(await logFaults(session, witness)));
  } catch (error) {
    violations.push({ law: 'no throw', what: reasonOf(error) });
    Object.assign(witness, nothingHeard());
  }
  return { assembly, violations };
}

/** As a witness is after a check. */
const nothingHeard = (): Pick<Witness, 'heard' | 'asked'> => ({ heard: [], asked: false });

/**
 * How often a moment is looked for at which two assemblies and the state belong
 * together, and all facts were heard: a summarizer may answer in between.
 * Appending nothing waits for the disk.
 */
const mostAttempts = 40;

/** **Log conserved**: the log is what was said, every message once, byte for byte, by range and by id. */
async function logFaults(session: Session, witness: Witness): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const blame = (what: string): void => void violations.push({ law: 'log conserved', what });
  let n = 0;
  for await (const { id, frame: _, at: __, tokens, ...message } of session.log()) {
    const said = witness.said[n];
    n += 1;
    if (id !== `e${n}`) blame(`entry ${n} of the log is ${id}`);
    if (said === undefined) blame(`${id} was never said`);
    else if (JSON.stringify(message) !== said.json) blame(`${id} is not what was said`);
    else if (tokens !== said.tokens && session.state.budget.count !== 'bound')
      blame(`${id} has ${said.tokens} tokens, not ${tokens}`);
  }
  if (n !== witness.said.length) blame(`the log has ${n} entries of ${witness.said.length}`);
  if (session.state.entries !== n) blame(`the state says ${session.state.entries} entries of ${n}`);
  const said = witness.said[Math.floor(n / 2)];
  if (said !== undefined) {
    const { id, frame: _, at: __, tokens: ___, ...message } = await session.entry(said.id);
    if (id !== said.id || JSON.stringify(message) !== said.json)
      blame(`${said.id}, asked for alone, is not what was said`);
  }
  return violations;
}

/** An error in one line. */
export function reasonOf(error: unknown): string {
  if (isEngineError(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : String(error);
}
