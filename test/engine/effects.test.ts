import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import type { Store as Records } from '../../src/store/store.ts';
import { openOver, type StoreOptions } from '../../src/engine/engine.ts';
import type { Session, SessionFact, Store, Summarizer } from '../../src/index.ts';
import { scriptedSummarizer, type Behavior } from '../../src/testing/scripted-summarizer.ts';
import { newDisk, type Disk } from './disk.ts';
import { isOver, pass, quiet, settle, until } from './turn.ts';

interface Stage {
  readonly disk: Disk;
  readonly clock: SimulatedClock;
  readonly store: Store;
  readonly session: Session;
  readonly facts: SessionFact[];
}

const window = 2_000;

async function stage(
  summarizer: Summarizer,
  given: { options?: StoreOptions; clock?: SimulatedClock; disk?: Disk; window?: number } = {},
): Promise<Stage> {
  const { disk = await newDisk(), clock = new SimulatedClock() } = given;
  const store = await openOver(disk.mount(), { clock, ...given.options });
  const session = await store.open('s', { window: given.window ?? window, summarizer });
  const facts: SessionFact[] = [];
  session.on('*', (fact) => facts.push(fact));
  return { disk, clock, store, session, facts };
}

/** Tools that leave too little room for what was said until the trigger. */
const tooMuch = [{ name: 'search', description: 'any of these words '.repeat(170) }];

let said = 0;
/** An exchange of about `tokens` tokens, half of them tool output. */
async function exchange(session: Session, tokens = 120): Promise<void> {
  said += 1;
  const words = Array.from({ length: Math.floor(tokens / 2) }, (_, n) => `w${(said * n) % 97}`);
  const text = words.slice(0, Math.ceil(words.length / 2)).join(' ');
  await session.append([
    { role: 'user', content: `Step ${said}` },
    { role: 'assistant', content: text, toolCalls: [{ name: 'read', arguments: { n: said } }] },
    { role: 'tool', name: 'read', content: text },
  ]);
}

/** Exchanges until a summarizer was asked. */
async function fill(session: Session): Promise<void> {
  for (let n = 0; n < 60 && session.state.pending.length === 0; n += 1) await exchange(session);
  expect(session.state.pending.length).toBeGreaterThan(0);
}

const typesOf = (facts: readonly SessionFact[], ...types: string[]): readonly string[] =>
  facts.map(({ type }) => type).filter((type) => types.includes(type));

const outcome = ['checkpoint.created', 'compression.failed', 'compression.cancelled'];

test('two calls of settled at once both resolve', async () => {
  const { session } = await stage(scriptedSummarizer());
  expect(await isOver(Promise.all([session.settled(), session.settled()]))).toBe(true);
});

test('settled resolves though a command that was refused ran beside it', async () => {
  const { session } = await stage(scriptedSummarizer());
  const refused = session.push({ title: '' }).catch((error: unknown) => error);
  const both = Promise.all([
    session.settled(),
    refused,
    session.push({ title: '' }).catch(() => 0),
  ]);
  expect(await isOver(both)).toBe(true);
});

test('a timer that was overtaken does not wake the one that came after it', async () => {
  const { clock, session, facts } = await stage(scriptedSummarizer([{ fail: 'busy' }]), {
    options: { effects: { timeout: 100 } },
  });
  await fill(session);
  await until(() => typesOf(facts, 'timer.set').length === 1);
  await pass(clock, session.assemble({ tools: tooMuch }), { step: 50 });
  expect(clock.now()).toBe(100);
  await session.assemble();
  await fill(session);
  await until(() => typesOf(facts, 'timer.set').length === 2);
  facts.length = 0;
  clock.increment(200);
  await quiet();
  expect(facts).toEqual([]);
  clock.increment(50);
  await quiet();
  expect(typesOf(facts, 'timer.ended', 'effect.requested').slice(0, 2)).toEqual([
    'timer.ended',
    'effect.requested',
  ]);
});
