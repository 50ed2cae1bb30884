import type { LogEntry } from '../../../index.ts';
import { keptPage } from '../../../viewer/kept-page.ts';
import { addStep, emptyHistory } from '../../../viewer/page/session/model/history.ts';
import type { KeptLine, KeptMessage } from '../../../viewer/page/session/model/kept.ts';
import type { Head, Prompt, Step, WholeEntry } from '../../../viewer/page/session/model/wire.ts';
import { paceText } from '../../call/pace-text.ts';
import { statusLine } from '../../call/status-line.ts';
import { cleanLine } from '../../paper/clean.ts';
import { many, number } from '../../paper/size.ts';
import { wholeText } from '../../render/message.ts';
import { playThrough } from '../../sessions/other-window.ts';
import { promptOf } from '../../view/prompt-answer.ts';
import { storedSteps } from '../../view/session-steps.ts';
import { changesIn } from '../changes.ts';
import { unlessDamaged } from '../damage.ts';
import type { Exporting } from '../exporting.ts';
import { headFor } from '../head.ts';
import { learnBeside, learnFrom, saidText } from '../said.ts';
import { countOf, hideIn, noSecrets } from '../../secrets/secrets.ts';
import { keptMore } from './page-more.ts';

/** Characters of an entry that a page holds: of a longer one its beginning and its end. */
const mostText = 100_000;

/** The page of a session as one file. */
export async function* pageOfSession(exporting: Exporting): AsyncGenerator<string> {
  const { call, session, secrets, leftOut } = exporting;
  const { signal } = call.io;
  // A key is known once all was read: what is made of an entry may hold a part of it.
  for await (const entry of session.log({ signal, onLost: leftOut.onLost }))
    learnFrom(entry, secrets);
  await learnBeside(session, secrets);
  const { window } = exporting;
  const own = await toldOf(exporting);
  if (window === undefined) {
    const lines = sayingWhatIsMasked(keptLines(exporting, own), exporting);
    return yield* keptPage(lines, cleanLine(own.head.title));
  }
  await using other = await playThrough(session, { window, call });
  const beside = { ...exporting, store: other.store, session: other.session };
  const there = await toldOf(beside);
  const head = { ...own.head, other: window };
  yield* keptPage(sayingWhatIsMasked(both(), exporting), cleanLine(head.title));

  async function* both(): AsyncGenerator<KeptLine> {
    const texts = new Map<string, string>();
    const numbers = new Map<string, number>();
    yield* keptLines(exporting, { ...own, head }, { texts, numbers });
    yield* keptLines(beside, there, { texts, numbers });
    yield* keptMore(exporting, beside, [own.steps, there.steps]);
  }
}

/** The lines of a page, and behind them how much was masked in them. */
async function* sayingWhatIsMasked(
  lines: AsyncIterable<KeptLine>,
  { secrets }: Exporting,
): AsyncGenerator<KeptLine> {
  yield* lines;
  yield { masked: secrets === noSecrets ? null : countOf(secrets.found()) };
}

/** What is told of a session: whose it is, and its steps. */
interface ToldSteps {
  readonly head: Head;
  readonly steps: readonly Step[];
}

async function toldOf(exporting: Exporting): Promise<ToldSteps> {
  const { call, store, session } = exporting;
  const steps: Step[] = [];
  let head: Head | undefined;
  for await (const item of storedSteps(store, session, call.io.signal))
    if ('session' in item) head = headFor(exporting, item);
    else steps.push(item);
  return { head: head!, steps };
}

/** What was told already, of which a second window of the same session has the same. */
interface Known {
  /** Texts of entries. */
  readonly texts: Map<string, string>;
  /** Numbers of lines. */
  readonly numbers: Map<string, number>;
}

/** All that the page shows, line by line: the log, its steps, the prompt after each, what each loss took out of it, and where the machines went. */
async function* keptLines(
  exporting: Exporting,
  { head, steps }: ToldSteps,
  index: Known = { texts: new Map(), numbers: new Map() },
): AsyncGenerator<KeptLine> {
  const { call, session, secrets } = exporting;
  const { signal } = call.io;
  yield { head };
  if (index.texts.size === 0) yield* keptLog(exporting, index.texts);
  for (const step of steps) yield { step: hideIn(step, secrets) };
  const last = steps.at(-1)?.seq ?? 0;
  yield* keptPrompts(exporting, index, last);
  const history = emptyHistory();
  for (const step of steps) addStep(history, step);
  for await (const change of changesIn(history, exporting))
    if (change !== null) yield { change: hideIn(change, secrets) };
  for await (const inspection of session.inspect({ to: last, live: false, signal })) {
    const { seq, actor, machine, event, from, value, status } = inspection;
    yield { move: hideIn({ seq, actor, machine, event, from, value, status }, secrets) };
  }
}

/** The log; `texts` takes in what was said, with what is taken out of it. */
async function* keptLog(
  { call, session, secrets, remark }: Exporting,
  texts: Map<string, string>,
): AsyncGenerator<KeptLine> {
  const { signal } = call.io;
  for await (const entry of session.log({ signal, onLost: () => undefined })) {
    const text = wholeText(entry);
    texts.set(entry.id, text);
    yield { entry: toKept(entry, saidText(entry, secrets)) };
  }
  const long = [...texts.values()].filter((text) => text.length > mostText).length;
  if (long > 0)
    remark(
      `Of ${many(long, 'entry', 'entries')} the middle is left out: above ${number(mostText)} characters`,
    );
}

function toKept({ id, frame, role, at }: LogEntry, text: string): WholeEntry {
  if (text.length <= mostText) return { id, frame, role, at, text };
  const half = mostText / 2;
  const omission = `${many(text.length - mostText, 'character')} left out: flamestack show --entry ${id}`;
  return {
    id,
    frame,
    role,
    at,
    text: `${text.slice(0, half)}\n[${omission}]\n${text.slice(-half)}`,
  };
}

/** The prompt after each step up to the last one, by what is new in it. */
async function* keptPrompts(
  { call, store, session, secrets }: Exporting,
  { texts, numbers }: Known,
  last: number,
): AsyncGenerator<KeptLine> {
  const { signal } = call.io;
  const status = statusLine(call);
  const begun = performance.now();
  let before: Prompt | null = null;
  for await (const step of store.replay(session.id, { to: last, signal })) {
    const { seq } = step;
    status.say(() => paceText({ count: seq, what: 'prompts', share: seq / last }, begun));
    const prompt = await unlessDamaged(promptOf(seq, step));
    if (prompt === null) continue;
    const same = sameBeginning(before?.messages ?? [], prompt.messages);
    const fresh: string[] = [];
    const numberOf = (line: string): number => {
      const existing = numbers.get(line);
      if (existing !== undefined) return existing;
      fresh.push(line);
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    };
    const came = prompt.messages.slice(same).map((message): KeptMessage => {
      const { text, ...rest } = message;
      if (message.kind === 'entry' && texts.get(message.entry ?? '') === text) return rest;
      return { ...rest, lines: secrets.hide(text).split('\n').map(numberOf) };
    });
    if (fresh.length > 0) yield { lines: fresh };
    yield { prompt: { ...hideIn(changed(before, prompt), secrets), same, came } };
    before = prompt;
  }
  status.clear();
}

/** How many messages two prompts begin with that are the same. */
function sameBeginning(one: Prompt['messages'], other: Prompt['messages']): number {
  const differs = other.findIndex(
    (message, at) => one[at] === undefined || JSON.stringify(one[at]) !== JSON.stringify(message),
  );
  return differs === -1 ? other.length : differs;
}

/** What is told of a prompt beside its messages, where it is not as before. */
function changed(
  before: Prompt | null,
  { seq, path, missing, names, kept }: Prompt,
): Partial<Prompt> & { readonly seq: number } {
  const fields = Object.entries({ path, missing, names, kept } as const).filter(
    ([name, value]) => JSON.stringify(before?.[name as keyof Prompt]) !== JSON.stringify(value),
  );
  return { seq, ...Object.fromEntries(fields) };
}
