import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createActor, createMachine } from 'xstate';
import {
  harness,
  runScript,
  scriptedSummarizer,
  simulatedClock,
  StepFailure,
  traceOf,
} from '../../src/testing/index.ts';
import { openStore } from '../../src/index.ts';
import { loadTokenizer } from '../../src/tokenizer/tiktoken.ts';

test('a clock fires timers in their turn, and lets what they start run', async () => {
  const clock = simulatedClock({ now: 1_000 });
  const told: string[] = [];
  clock.setTimeout(() => told.push(`late ${clock.now()}`), 20);
  clock.setTimeout(() => {
    told.push(`early ${clock.now()}`);
    void Promise.resolve().then(() => clock.setTimeout(() => told.push(`new ${clock.now()}`), 5));
  }, 10);
  clock.clearTimeout(clock.setTimeout(() => told.push('never'), 12));
  await clock.advance(9);
  expect([told, clock.waiting]).toEqual([[], 2]);
  await clock.advance(11);
  expect(told).toEqual(['early 1010', 'new 1015', 'late 1020']);
  expect(clock.now()).toBe(1_020);
});

test('time passes until work is over, and not for ever', async () => {
  const clock = simulatedClock();
  const begun = clock.now();
  const waited = new Promise<number>((done) => clock.setTimeout(() => done(7), 60_000));
  expect(await clock.until(waited)).toBe(7);
  expect(clock.now() - begun).toBe(60_000);
  const late = new Promise<number>((done) => clock.setTimeout(() => done(8), 10 * 86_400_000));
  expect(await clock.until(late)).toBe(8);
  let left = 12_000;
  const often = new Promise<void>((done) => {
    const next = (): unknown => (left-- > 0 ? clock.setTimeout(next, 250) : done());
    next();
  });
  await clock.until(often);
  const again = (): unknown => clock.setTimeout(again, 600_000);
  again();
  await expect(clock.until(new Promise(() => undefined))).rejects.toThrow('50000 timers fired');
});

test('time does not go back, and what is no time is refused', async () => {
  const clock = simulatedClock({ now: 1_000 });
  for (const ms of [-5, Number.NaN, Number.POSITIVE_INFINITY, undefined as never, '5' as never])
    await expect(clock.advance(ms)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining('"ms"'),
    });
  expect(() => simulatedClock({ now: Number.NaN })).toThrow('"now"');
  const fired: number[] = [];
  for (const ms of [Number.NaN, -1, Number.POSITIVE_INFINITY, undefined as never])
    clock.setTimeout(() => fired.push(clock.now()), ms);
  await clock.advance(0);
  expect([fired, clock.now()]).toEqual([[1_000, 1_000, 1_000, 1_000], 1_000]);
});

test('a clock moves actors of XState', async () => {
  const clock = simulatedClock();
  const machine = createMachine({ initial: 'a', states: { a: { after: { 500: 'b' } }, b: {} } });
  const actor = createActor(machine, { clock }).start();
  await clock.advance(499);
  expect(actor.getSnapshot().value).toBe('a');
  await clock.advance(1);
  expect(actor.getSnapshot().value).toBe('b');
});

test('settled() ends though a summarizer never answers', async () => {
  const clock = simulatedClock();
  const summarizer = scriptedSummarizer([{ hold: true }], { clock });
  await using store = await openStore(':memory:', { clock });
  const session = await store.open('s', { window: 2_000, summarizer });
  for (let n = 0; n < 12; n += 1)
    await session.append({ role: 'assistant', content: `${n} ${'word '.repeat(150)}` });
  await clock.advance(0);
  expect(summarizer.calls.length).toBeGreaterThan(0);
  await clock.until(session.settled());
  expect(session.state.pending).toEqual([]);
});

test('a server counts no more of a prompt than it has, and the model of a cut one asks', async () => {
  await using it = await harness({ session: { window: 8_192 } });
  await it.run({ user: { text: 'Paginate the notes.', tokens: 600 } });
  const { budget } = await it.session.assemble();
  await it.run({ cut: { to: 4_096, text: 'Done.' } });
  const counts = () =>
    it.facts.flatMap((fact) => (fact.type === 'assembly.sent' ? [fact.inputTokens] : []));
  expect(counts()).toEqual([budget.total]);
  await it.expect({ facts: { 'truncation.suspected': 0 } });
  await it.run({ user: 'Go on.' }, { assistant: 'I go on.' }, { cut: 4_096 });
  await it.expect({ facts: ['recovery.announced'] });
});

test('a harness takes steps in code, and throws what is not as expected', async () => {
  await using it = await harness({ session: { window: 2_000 } });
  await it.run({ user: 'Port 8123 stays.' }, { push: 'Search' }, async ({ session }) => {
    await session.append({ role: 'assistant', content: 'I look.' });
  });
  await it.expect({ shows: '8123', frames: { Search: 'in_progress' }, state: { entries: 2 } });
  expect(await it.laws()).toEqual([]);
  expect(it.trace()).toBe(traceOf(it.facts));
  const failure = await it.expect({ shows: '8132', fits: 1 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StepFailure);
  expect((failure as StepFailure).unmet).toHaveLength(2);
  expect(String(failure)).toContain('the window shows "8132"');
});

test.each([
  [{ sumarizer: ['honest'] }, 'no option "sumarizer"; there are session, summarizer,'],
  [{ session: { windw: 2_000 } }, 'no option "windw"'],
  [{ summarizer: ['honset'] }, 'it takes hold, honest,'],
  [{ update: 'yes' }, '"update" cannot be "yes"'],
])('a harness refuses what it does not know: %j', async (options, words) => {
  const refusal = await harness(options as never).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining(words),
  });
  const script = { test: 'it', steps: [] };
  await expect(runScript(script, { inplace: true } as never)).rejects.toThrow('"inplace"');
});

test.each([1, 20, 250, 1_000])('prose of %i tokens has so many', async (tokens) => {
  await using it = await harness({ session: { window: 8_192 } });
  await it.run({ user: 'First.' }, { assistant: { tokens } });
  const { count } = await loadTokenizer('o200k_base');
  const { content } = await it.session.entry('e2');
  expect(count(content as string)).toBeGreaterThan(tokens - 7);
  expect(count(content as string)).toBeLessThanOrEqual(tokens);
});

test('a trace is recorded in a file that is named, and nowhere else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flamestack-trace-'));
  const run = async (trace: string, update: boolean): Promise<unknown> => {
    await using it = await harness({ folder, update });
    return it.expect({ trace }).catch((error: unknown) => String(error));
  };
  expect(await run('', true)).toContain("name a file, trace: 'name.trace'");
  expect(await run('a.trace', false)).toContain('FLAMESTACK_UPDATE=1 or --update records it');
  expect(await run('a.trace', true)).toBeUndefined();
  expect(await run('a.trace', false)).toBeUndefined();
  await rm(folder, { recursive: true });
});

test.each(['before', 'in', 'after'] as const)(
  'a process that dies %s a write leaves what it acknowledged, and a session that goes on',
  async (crash) => {
    await using it = await harness({ session: { window: 2_000 } });
    await it.run({ user: 'First.' });
    const { session } = it;
    await it.run({ user: 'Second.', crash });
    expect(it.session).not.toBe(session);
    const entries = crash === 'after' ? 2 : 1;
    expect(it.session.state.entries).toBe(entries);
    await it.run({ user: 'Third.' }, { expect: { state: { entries: entries + 1 }, laws: true } });
    const facts = it.facts.filter(({ type }) => type === 'entry.appended');
    expect(facts).toHaveLength(entries + 1);
    await it.run({ kill: null }, { expect: { state: { entries: entries + 1 }, laws: true } });
  },
);

test('a compression whose summary was lost with its process is asked for again', async () => {
  await using it = await harness({ session: { window: 2_000 }, summarizer: ['hold', 'honest'] });
  await it.run({ repeat: { times: 8, steps: [{ assistant: { tokens: 200 } }] } });
  await it.run({ expect: { summaries: 1 } }, { kill: null }, { settle: null });
  await it.expect({ summaries: 2, facts: ['checkpoint.created'], laws: true });
});
