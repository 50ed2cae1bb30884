import { defaultEncoding } from '../../core/budget/options.ts';
import type { Assembly } from '../../core/assembly/assembly.ts';
import type { Message } from '../../core/messages/message.ts';
import type { AppendOptions } from '../../engine/commands/append-command.ts';
import type { SessionOptions } from '../../engine/commands/configure.ts';
import { readJournal } from '../../engine/journal/load.ts';
import type { SessionFact } from '../../engine/live/listening/listeners.ts';
import { openStore, type Store } from '../../engine/open/open-store.ts';
import type { Session } from '../../engine/session/session.ts';
import { loadTokenizer } from '../../tokenizer/tiktoken.ts';
import { newWitness, witnessMessage, type Witness } from '../laws/witness.ts';
import {
  honest,
  scriptedSummarizer,
  type Behavior,
  type ScriptedSummarizer,
} from '../scripted-summarizer.ts';
import { simulatedClock, type SimulatedClock } from '../simulated-clock.ts';
import { mortalFolder, type MortalFolder } from './mortal-folder.ts';
import type { ScriptPath } from './expectation.ts';
import type { AnswerGiven, HarnessOptions } from './step.ts';
import { msOf } from './step-schema.ts';

/** A text that was recorded, and where it stands in the script, or in which file. */
export interface Recorded {
  readonly path: ScriptPath;
  readonly text: string;
}

/** A session under test: its store on a disk, its clock, and the witness of all that is done to it. */
export interface Bench {
  readonly session: Session;
  readonly store: Store;
  readonly witness: Witness;
  readonly clock: SimulatedClock;
  readonly folder: MortalFolder;
  /** Null where the embedded summarizer writes. */
  readonly summarizer: ScriptedSummarizer | null;
  /** All facts so far; those from `seen` on came since the last expectation. */
  readonly facts: readonly SessionFact[];
  seen: number;
  /** Ids of frames by the names that steps gave them. */
  readonly names: Map<string, string>;
  /** Tools that assemblies are asked for with. */
  tools: readonly unknown[];
  /** The last assembly by which laws were checked. */
  judged: Assembly | null;
  /** Texts that were recorded instead of compared; null where nobody would write them down. */
  readonly recorded: Recorded[] | null;
  /** What was there for each place of a recorded text, by its path. */
  readonly found: Map<string, string>;
  readonly options: HarnessOptions;
  /** Appends a message, and the witness hears of it. */
  say(message: Message, options?: AppendOptions): Promise<void>;
  /** Takes down what was said past the bench, as the log has it. */
  hearOthers(): Promise<void>;
  /** Closes the store, if its process is not dead, and opens it again. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** What a check looks at. */
export interface Moment {
  readonly bench: Bench;
  /** The prompt as it would be sent now. */
  readonly assembly: () => Promise<Assembly>;
  readonly path: ScriptPath;
}

const id = 'test';

/** Opens a new session in a store of its own. */
export async function openBench(
  options: HarnessOptions,
  recorded: Recorded[] | null,
): Promise<Bench> {
  const { count } = await loadTokenizer(defaultEncoding);
  const folder = await mortalFolder();
  const clock = simulatedClock({ isBusy: () => folder.isBusy });
  const script = options.summarizer?.map(toBehavior);
  const summarizer = script === undefined ? null : scriptedSummarizer(script, { clock });
  const facts: SessionFact[] = [];
  let saying: readonly Message[] = [];
  let store = await openStore(folder, { clock });
  let session = await open({ window: 8_192, ...options.session }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const { window, reserve } = session.state.budget;
  const system = options.session?.system ?? '';
  const witness = newWitness({ count, system, window, reserve });
  witness.model = options.session?.model ?? null;
  await attend();

  async function open(sessionOptions: SessionOptions): Promise<Session> {
    return clock.until(
      store.open(id, summarizer === null ? sessionOptions : { ...sessionOptions, summarizer }),
    );
  }

  /** Hears of all facts: those that the journal has and nobody told, and those to come. */
  async function attend(): Promise<void> {
    const isFirst = facts.length === 0;
    let caughtUp = facts.at(-1)?.seq ?? 0;
    let late: SessionFact[] | null = [];
    const hear = (fact: SessionFact): void => {
      facts.push(fact);
      if (!isFirst || late === null) witness.heard.push(fact);
    };
    session.on('*', (fact) => void (late === null ? hear(fact) : late.push(fact)));
    for await (const record of readJournal(folder.records, id, caughtUp)) {
      for (const fact of record.facts) hear({ ...fact, seq: record.seq, at: record.at });
      caughtUp = record.seq;
    }
    const missed = late.filter(({ seq }) => seq > caughtUp);
    late = null;
    missed.forEach(hear);
    hearSaid();
  }

  async function close(): Promise<void> {
    await store.close().catch(() => undefined);
    await folder.remove();
  }

  /** Takes down of what was being said as much as the log has. */
  function hearSaid(): void {
    for (const message of saying)
      if (witness.said.length < session.state.entries) witnessMessage(witness, message);
    saying = [];
  }

  return {
    get session() {
      return session;
    },
    get store() {
      return store;
    },
    witness,
    clock,
    folder,
    summarizer,
    facts,
    seen: 0,
    names: new Map(),
    tools: [],
    judged: null,
    recorded,
    found: new Map(),
    options,
    async say(message, appendOptions = {}) {
      saying = [message];
      await session.append(message, appendOptions);
      hearSaid();
    },
    async hearOthers() {
      while (witness.said.length < session.state.entries) {
        const entry = await session.entry(`e${witness.said.length + 1}`);
        const { id: _, frame: __, at: ___, tokens: ____, ...message } = entry;
        witnessMessage(witness, message);
      }
    },
    async reopen() {
      await store.close().catch(() => undefined);
      folder.revive();
      store = await openStore(folder, { clock });
      session = await open({});
      await attend();
    },
    close,
  };
}

function toBehavior(answer: AnswerGiven): Behavior {
  if (answer === 'hold') return { hold: true };
  if (answer === 'honest') return { say: honest };
  const { after, ...rest } = answer;
  return after === undefined ? rest : { ...rest, after: msOf(after)! };
}
