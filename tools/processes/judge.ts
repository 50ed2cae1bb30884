import { isDeepStrictEqual } from 'node:util';
import { defaultEncoding } from '../../src/core/budget/options.ts';
import type { Message, Session, SessionFact, Store } from '../../src/index.ts';
import { loadTokenizer } from '../../src/tokenizer/tiktoken.ts';
import { checkLaws } from '../../src/testing/laws/laws.ts';
import { newWitness, witnessMessage } from '../../src/testing/laws/witness.ts';
import { keyOf, messageOf } from './work.ts';

/** What the workers said of one session. */
export interface Ledger {
  /** Keys that were sent. */
  readonly sent: Set<string>;
  /** Keys that were acknowledged, and the ids of their entries. */
  readonly kept: Map<string, string>;
}

/** What was found in the sessions at the end. */
export interface Verdict {
  entries: number;
  /** Acknowledged, and not there under its id. */
  lost: number;
  /** There more than once. */
  twice: number;
  /** There, and never sent, or not as it was sent. */
  wrong: number;
  /** Records that `verify` found damaged or missing. */
  damaged: number;
  violations: number;
  /** The first faults, in words. */
  readonly faults: string[];
}

/** Reads every session again, in a process that wrote to none, and compares it with what was said. */
export async function judge(
  store: Store,
  ledgers: ReadonlyMap<string, Ledger>,
  window: number,
): Promise<Verdict> {
  const faults: string[] = [];
  const verdict = { entries: 0, lost: 0, twice: 0, wrong: 0, damaged: 0, violations: 0, faults };
  const blame = (what: Exclude<keyof Verdict, 'faults'>, words: string): void => {
    verdict[what] += 1;
    if (faults.length < 20) faults.push(words);
  };
  for (const [id, ledger] of ledgers) {
    await using session = await store.open(id);
    const ids = new Map<string, string>();
    const said: Message[] = [];
    for await (const { id: entry, frame: _, at: __, tokens: ___, ...rest } of session.log()) {
      const message = rest as Message;
      const key = keyOf(message);
      if (ids.has(key)) blame('twice', `${id}: ${key} is ${ids.get(key)} and ${entry}`);
      if (!ledger.sent.has(key) || !isDeepStrictEqual(message, messageOf(key)))
        blame('wrong', `${id}: ${entry} was never sent so`);
      ids.set(key, entry);
      said.push(message);
    }
    verdict.entries += said.length;
    for (const [key, entry] of ledger.kept)
      if (ids.get(key) !== entry) blame('lost', `${id}: ${key} was acknowledged as ${entry}`);
    for (const words of await lawsBroken(session, said, window))
      blame('violations', `${id}: ${words}`);
  }
  for await (const check of store.verify())
    if (!check.isSound) blame('damaged', `${check.id}: ${JSON.stringify(check).slice(0, 300)}`);
  return verdict;
}

/** Checks all laws of a session by what was said and by every fact that it ever announced. */
async function lawsBroken(
  session: Session,
  said: readonly Message[],
  window: number,
): Promise<readonly string[]> {
  const { count } = await loadTokenizer(defaultEncoding);
  const witness = newWitness({ count, system: '', window, reserve: 0 });
  for (const message of said) witnessMessage(witness, message);
  witness.heard = await factsOf(session);
  const { violations } = await checkLaws(null, session, { witness, thorough: true });
  return violations.map(({ law, what }) => `${law}: ${what}`);
}

async function factsOf(session: Session): Promise<SessionFact[]> {
  const facts: SessionFact[] = [];
  const { seq } = session.state;
  if (seq === 0) return facts;
  for await (const fact of session.events({ after: 0, signal: AbortSignal.timeout(60_000) })) {
    facts.push(fact);
    if (fact.seq >= seq) break;
  }
  return facts;
}
