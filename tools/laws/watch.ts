import type { Assembly } from '../../src/core/assembly/assembly.ts';
import { defaultEncoding } from '../../src/core/budget/options.ts';
import type { SessionOptions } from '../../src/engine/commands/configure.ts';
import type { Store } from '../../src/engine/open/open-store.ts';
import type { StoreOptions } from '../../src/engine/open/store-options.ts';
import type { Session } from '../../src/engine/session/session.ts';
import type { Summarizer } from '../../src/llm/summarizer.ts';
import { loadTokenizer } from '../../src/tokenizer/tiktoken.ts';
import { laws, type Law, type Violation } from '../../src/testing/laws/law.ts';
import { checkLaws } from '../../src/testing/laws/laws.ts';
import { bytesOf } from '../../src/testing/laws/recount.ts';
import { newWitness, type Witness } from '../../src/testing/laws/witness.ts';

/** A violation and where it was found. */
export interface FoundViolation extends Violation {
  /** The line of the file, or the number of the move, from 1. */
  readonly line: number;
}

/** What a play through one window came to. */
export interface Played {
  readonly name: string;
  readonly limit: number;
  /** Moments at which every law was checked. */
  readonly checked: number;
  readonly entries: number;
  readonly compressions: number;
  readonly epochs: number;
  readonly violations: Readonly<Record<Law, number>>;
  /** The first violations, most of them of different laws. */
  readonly found: readonly FoundViolation[];
}

/** How a play is checked. */
export interface PlayOptions {
  /** Tokens of the window; nothing is reserved. */
  readonly limit: number;
  /** Everything is looked at at every so many checks; 50 unless told. */
  readonly every?: number;
  /** Who summarizes; the embedded summarizer unless told. */
  readonly summarizer?: Summarizer;
  /** Clock and patience of the store. */
  readonly store?: StoreOptions;
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** Most violations of one law that are kept in words. */
const mostFound = 3;

/** A session under watch: every law is checked whenever it is asked, and what is found is counted. */
export interface Watch {
  session: Session;
  readonly witness: Witness;
  check(line: number, tools?: readonly unknown[]): Promise<void>;
  /** Closes the session, opens it anew from its journal, and compares what it then shows. */
  reopen(line: number, tools?: readonly unknown[]): Promise<void>;
  blame(violation: FoundViolation): void;
  result(name: string): Played;
}

/** The session that is watched. */
export const sessionId = 'laws';

/** Opens a session in `store` and watches it. */
export async function watch(
  store: Store,
  options: PlayOptions & { system?: string; title?: string },
): Promise<Watch> {
  const { limit, every = 50, system = '', title } = options;
  const { count } = await loadTokenizer(defaultEncoding);
  const given = { window: limit, reserve: 0, system };
  const witness = newWitness({ count, ...given });
  const { summarizer } = options;
  const open = async (given: SessionOptions): Promise<Session> => {
    const session = await store.open(sessionId, given);
    session.on('*', (fact) => void witness.heard.push(fact));
    return session;
  };
  const counts = Object.fromEntries(laws.map((law) => [law, 0])) as Record<Law, number>;
  const found: FoundViolation[] = [];
  let before: Assembly | null = null;
  let checked = 0;
  let compressions = 0;
  const blame = (violation: FoundViolation): void => {
    counts[violation.law] += 1;
    if (counts[violation.law] <= mostFound) found.push(violation);
  };
  const self: Watch = {
    session: await open({
      ...given,
      ...(title === undefined ? {} : { title }),
      ...(summarizer === undefined ? {} : { summarizer }),
    }),
    witness,
    blame,
    async check(line, tools = []) {
      const { heard } = witness;
      const thorough = checked % every === 0;
      const judgment = await checkLaws(before, self.session, { witness, thorough, tools });
      compressions += heard.filter(({ type }) => type === 'compression.finished').length;
      checked += 1;
      before = judgment.assembly ?? before;
      for (const violation of judgment.violations) blame({ ...violation, line });
      options.onProgress?.(checked);
    },
    async reopen(line, tools = []) {
      await self.session.settled();
      const shown = await self.session.assemble({ tools });
      await self.session.close();
      self.session = await open({});
      const again = await self.session.assemble({ tools });
      if (again.id !== shown.id || written(again) !== written(shown))
        blame({ law: 'prefix', what: 'it is another after a reopening', line });
      if (JSON.stringify(again.budget) !== JSON.stringify(shown.budget))
        blame({ law: 'fit', what: 'the budget is another after a reopening', line });
    },
    result: (name) => ({
      name,
      limit,
      checked,
      entries: witness.said.length,
      compressions,
      epochs: self.session.state.epoch,
      violations: counts,
      found,
    }),
  };
  return self;
}

const written = ({ messages }: Assembly): string =>
  messages.map((message) => `${bytesOf(message, true)}${message.tokens}`).join('\n');
