import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { fail } from '../../../src/core/values/error.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import type { StoreOptions } from '../../../src/engine/open/store-options.ts';
import type { Session, SessionFact, Store, Summarizer } from '../../../src/index.ts';
import { honest, scriptedSummarizer } from '../../../src/testing/scripted-summarizer.ts';
import { newDisk, type Disk } from '../disk.ts';
import { isOver, pass, quiet, settle, until } from '../turn.ts';

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

/** The stretch of the first compression. */
function started(facts: readonly SessionFact[]): { from: string; to: string } {
  for (const fact of facts) if (fact.type === 'compression.started') return fact;
  throw new Error('No compression started');
}

/** Exchanges until a summarizer was asked. */
async function fill(session: Session): Promise<void> {
  for (let n = 0; n < 60 && session.state.pending.length === 0; n += 1) await exchange(session);
  expect(session.state.pending.length).toBeGreaterThan(0);
  await quiet();
}

const typesOf = (facts: readonly SessionFact[], ...types: string[]): readonly string[] =>
  facts.map(({ type }) => type).filter((type) => types.includes(type));

/** What became of the summaries that were asked for. */
const outcomes = (facts: readonly SessionFact[]): readonly string[] =>
  facts.flatMap((fact) => {
    if (fact.type === 'compression.failed') return [`failed ${fact.attempt}`];
    if (fact.type === 'compression.finished') return [`finished by ${fact.by}`];
    return fact.type === 'compression.cancelled' ? ['cancelled'] : [];
  });

const wholeLog = async (session: Session): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of session.log()) ids.push(id);
  return ids;
};

// Settled.

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

// While a summarizer works.

test('entries arrive, durable, while a summarizer never answers, and stay verbatim when it does', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }, { say: honest }]);
  const { session, facts } = await stage(summarizer, { window: 4_000 });
  await fill(session);
  const { from, to } = started(facts);
  const before = session.state.entries;
  for (let n = 0; n < 2; n += 1) expect(await isOver(exchange(session, 60))).toBe(true);
  expect(session.state.phase).toBe('compressing');
  summarizer.calls[0]!.answer('What was done so far');
  await until(() => outcomes(facts).length > 0);
  expect(outcomes(facts)).toEqual(['finished by summarizer']);
  const [checkpoint] = session.state.checkpoints;
  expect([checkpoint?.from, checkpoint?.to, checkpoint?.by]).toEqual([from, to, 'scripted']);
  const ids = (await session.assemble()).messages.flatMap(({ entry }) => entry ?? []);
  for (let n = before + 1; n <= session.state.entries; n += 1) expect(ids).toContain(`e${n}`);
  expect(await wholeLog(session)).toHaveLength(session.state.entries);
});

test('one summary is asked for at a time, however much arrives', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const { session } = await stage(summarizer);
  await fill(session);
  for (let n = 0; n < 10; n += 1) await exchange(session);
  expect(session.state.pending).toHaveLength(1);
  expect(summarizer.calls).toHaveLength(1);
});

test('of a summary that is too long the first lines stand, and nobody is asked again', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => `- step ${n} is done (e${n + 1})`);
  const summarizer = scriptedSummarizer([{ say: () => lines.join('\n') }]);
  const { session, facts } = await stage(summarizer);
  await fill(session);
  await until(() => outcomes(facts).length > 0);
  expect(outcomes(facts)).toEqual(['finished by summarizer']);
  expect(summarizer.calls).toHaveLength(1);
  const { target } = summarizer.calls[0]!.task;
  const [{ tokens } = { tokens: 0 }] = session.state.checkpoints;
  expect(tokens).toBeLessThanOrEqual(target);
  expect(tokens).toBeGreaterThan(target / 2);
  const shown = (await session.assemble()).messages.find(
    ({ section }) => section === 'checkpoints',
  )!;
  for (let n = 0; n < 5; n += 1) expect(shown.content).toContain(`step ${n} is done`);
});

const refused: readonly (readonly [string, unknown])[] = [
  ['empty', ''],
  ['blank', ' \n\t '],
  ['repeating words', 'again and '.repeat(60)],
  ['repeating lines', 'the same line\n'.repeat(20)],
  ['no text', undefined],
  ['a number', 12],
];

test.each(refused)(
  'a summary that is %s is asked for once more, strictly, then harvested',
  async (_, text) => {
    const summarizer = scriptedSummarizer([{ say: () => text }]);
    const { session, facts } = await stage(summarizer);
    await fill(session);
    await until(() => outcomes(facts).length > 0);
    expect(outcomes(facts)).toEqual(['finished by fallback']);
    const [first, second] = summarizer.calls.map(({ task }) => task);
    expect([first?.strict, second?.strict]).toEqual([false, true]);
    expect(second!.target).toBe(first!.target);
    expect(session.state.checkpoints[0]?.by).toBe('embedded');
  },
);

test('lines that name what is nowhere in the record are left out of a summary, and told', async () => {
  const made = '- Changed: src/billing/invoice.ts: rounds up (e2)';
  const summarizer = scriptedSummarizer([{ say: () => `- Found: w1 in Step 1 (e2)\n${made}` }]);
  const { session, facts } = await stage(summarizer);
  await fill(session);
  await until(() => outcomes(facts).length > 0);
  expect(outcomes(facts)).toEqual(['finished by summarizer']);
  const told = facts.filter(({ type }) => type === 'summary.invented');
  expect(told).toMatchObject([{ purpose: 'checkpoint', frame: 'f0', lines: [made] }]);
  const shown = JSON.stringify(await session.assemble());
  expect(shown).toContain('Found: w1 in Step 1');
  expect(shown).not.toContain('invoice');
});

test('a summary that is mostly made up is refused for that, and its results stay extracted', async () => {
  const made = '- Changed: src/billing/invoice.ts\n- Failed: GraphQLError';
  const { session, facts } = await stage(scriptedSummarizer([{ say: () => made }]));
  await fill(session);
  await until(() => outcomes(facts).length > 0);
  const reasons = facts.flatMap((fact) => (fact.type === 'compression.refused' ? fact.reason : []));
  expect(reasons).toEqual(['invented', 'invented']);
  await session.push({ title: 'Step' });
  await exchange(session);
  await session.pop({ status: 'completed' });
  await session.settled();
  expect(JSON.stringify(await session.assemble())).not.toMatch(/invoice|GraphQL/);
});

/** Exchanges that look at a file each, until a summary was taken; what became of it, and what the prompt then holds. */
async function told(summary: string): Promise<{ readonly of: readonly string[]; shown: string }> {
  const { session, facts } = await stage(scriptedSummarizer([{ say: () => summary }]));
  for (let n = 0; n < 60 && !outcomes(facts).some((one) => one.startsWith('finished')); n += 1) {
    const text = `I looked at src/mod${n}.ts, src/part${n}.ts and readPart${n}, and decided to use strategy${n}. `;
    await session.append([
      { role: 'user', content: `Please look into part ${n}.` },
      { role: 'assistant', content: `${text}${'It matters for the work. '.repeat(20)}` },
    ]);
    await session.settled();
  }
  const of = facts.flatMap((fact) => (fact.type === 'compression.refused' ? fact.reason : []));
  return { of: [...of, ...outcomes(facts)], shown: JSON.stringify(await session.assemble()) };
}

test.each([
  'I cannot help with that.',
  'Ich kann dabei leider nicht helfen.',
  'Decided: we use Postgres for the storage (e1)\nFound: the examination is running',
  'Entschieden: Wir benutzen Postgres für die Speicherung (e1)\nGefunden: die Prüfung läuft',
])(
  'a summary that tells nothing of its record is refused, and asked for once more: %s',
  async (text) => {
    const { of, shown } = await told(text);
    expect(of).toEqual(['invented', 'invented', 'finished by fallback']);
    for (const line of text.split('\n')) expect(shown).not.toContain(line);
  },
);

test.each([
  'Entschieden: strategy1 für mod1.ts (e2)',
  'Ermittelt: der erste Teil ist fertig (e2), der zweite auch (e4)',
  'It all matters for the work (e2)',
])('a short summary that tells of its record is taken: %s', async (text) => {
  const { of, shown } = await told(text);
  expect(of).toEqual(['finished by summarizer']);
  expect(shown).toContain(text.slice(0, 20));
});

test('a second, strict summary that is good is taken', async () => {
  const { session, facts } = await stage(scriptedSummarizer([{ say: '' }, { say: honest }]));
  await fill(session);
  await until(() => outcomes(facts).length > 0);
  expect(outcomes(facts)).toEqual(['finished by summarizer']);
});

test('a summarizer that throws is asked again after 250, 500 and 1,000 ms, then the harvest steps in', async () => {
  const clock = new SimulatedClock();
  const summarizer = scriptedSummarizer([{ fail: 'overloaded' }], { clock });
  const { session, facts } = await stage(summarizer, { clock });
  await fill(session);
  await pass(clock, session.settled(), { step: 50 });
  expect(outcomes(facts)).toEqual([
    'failed 1',
    'failed 2',
    'failed 3',
    'failed 4',
    'finished by fallback',
  ]);
  expect(summarizer.calls.map(({ at }) => at)).toEqual([0, 250, 750, 1_750]);
  expect(facts.find(({ type }) => type === 'compression.failed')).toMatchObject({
    reason: 'overloaded',
  });
  expect(session.state.phase).toBe('open');
});

test('who waits to ask again waits no longer where the embedded summarizer is to write', async () => {
  const { session, facts } = await stage(scriptedSummarizer([{ fail: 'overloaded' }]));
  await fill(session);
  await until(() => typesOf(facts, 'timer.set').length === 1);
  await session.configure({ summarizer: 'embedded' });
  expect(outcomes(facts)).toEqual(['failed 1', 'finished by fallback']);
  expect(session.state.phase).toBe('open');
});

test.each([
  [undefined, [0, 250, 750]],
  [100, [0, 250, 750]],
  [3_000, [0, 3_000, 6_000]],
  [3_600_000, [0, 60_000, 120_000]],
] as const)(
  'a busy server that asks for %s ms is left alone so long, a minute at most',
  async (retryAfter, times) => {
    const clock = new SimulatedClock();
    const asked: number[] = [];
    const busy = fail('MODEL_BUSY', 'busy', {
      server: 'here',
      model: 'm',
      ...(retryAfter !== undefined && { retryAfter }),
    });
    const summarizer: Summarizer = {
      name: 'busy',
      async summarize(task) {
        asked.push(clock.now());
        if (asked.length < 3) throw busy;
        return honest(task);
      },
    };
    const { session, facts } = await stage(summarizer, { clock });
    await fill(session);
    await pass(clock, session.settled(), { step: 50 });
    expect(outcomes(facts)).toEqual(['failed 1', 'failed 2', 'finished by summarizer']);
    expect(asked).toEqual(times);
  },
);

test.each([
  ['MODEL_NOT_FOUND', { api: 'ollama', known: [] }],
  ['MODEL_REFUSED', { status: 401 }],
  ['MODEL_UNSUPPORTED', { ability: 'chat' }],
  ['MODEL_OVERFLOW', { tokens: 9_000, window: 8_192 }],
] as const)('what asking again cannot cure is asked once: %s', async (code, more) => {
  const clock = new SimulatedClock();
  let asked = 0;
  const summarizer: Summarizer = {
    name: 'refusing',
    async summarize() {
      asked += 1;
      throw fail(code, 'no', { server: 'here', model: 'm', ...more });
    },
  };
  const { session, facts } = await stage(summarizer, { clock });
  await fill(session);
  await session.settled();
  expect(outcomes(facts)).toEqual(['failed 1', 'finished by fallback']);
  expect([asked, clock.now()]).toEqual([1, 0]);
  expect(session.state.phase).toBe('open');
});

test('a summarizer that never answers is given up after the timeout, each time', async () => {
  const clock = new SimulatedClock();
  const summarizer = scriptedSummarizer([{ hold: true }], { clock, deaf: true });
  const { session, facts } = await stage(summarizer, {
    clock,
    options: { effects: { timeout: 1_000 } },
  });
  await fill(session);
  await pass(clock, session.settled(), { step: 250 });
  expect(outcomes(facts)).toEqual([
    'failed 1',
    'failed 2',
    'failed 3',
    'failed 4',
    'finished by fallback',
  ]);
  expect(summarizer.calls.map(({ at }) => at)).toEqual([0, 1_250, 2_750, 4_750]);
  expect(summarizer.calls.every(({ aborted }) => aborted)).toBe(true);
});

// Assembling meanwhile.

test('assemble does not wait for a summarizer while what it shows fits', async () => {
  const { session } = await stage(scriptedSummarizer([{ hold: true }]));
  await fill(session);
  expect(await isOver(session.assemble())).toBe(true);
  expect(await isOver(session.assemble({ tools: [{ name: 'small' }] }))).toBe(true);
  expect(session.state.phase).toBe('compressing');
});

test('assemble waits for the summary where nothing fits, and not longer', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const { session, facts } = await stage(summarizer);
  await fill(session);
  const assembling = session.assemble({ tools: tooMuch });
  expect(await isOver(assembling)).toBe(false);
  summarizer.calls[0]!.answer('Done so far');
  expect(await isOver(assembling)).toBe(true);
  expect(outcomes(facts)[0]).toBe('finished by summarizer');
  const { budget } = await assembling;
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
});

test('assemble waits until the timeout at most; then the fallback steps in and the late summary is dropped', async () => {
  const clock = new SimulatedClock();
  const summarizer = scriptedSummarizer([{ hold: true }], { clock, deaf: true });
  const { session, facts } = await stage(summarizer, {
    clock,
    options: { effects: { timeout: 1_000 } },
  });
  await fill(session);
  clock.increment(400);
  const assembling = session.assemble({ tools: tooMuch });
  const { budget } = await pass(clock, assembling, { step: 100 });
  expect(clock.now()).toBeLessThanOrEqual(1_500);
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  expect(outcomes(facts).at(-1)).toBe('finished by fallback');
  const { seq, checkpoints } = session.state;
  summarizer.calls[0]!.answer('Much too late');
  await quiet();
  expect(session.state.seq).toBe(seq);
  expect(session.state.checkpoints).toEqual(checkpoints);
});

test('assemble that is aborted while it waits rejects with the reason and shrinks nothing', async () => {
  const { session } = await stage(scriptedSummarizer([{ hold: true }]));
  await fill(session);
  const { seq } = session.state;
  const abort = new AbortController();
  const assembling = session.assemble({ tools: tooMuch, signal: abort.signal });
  await quiet();
  abort.abort(new Error('Enough'));
  await expect(assembling).rejects.toThrow('Enough');
  await quiet();
  expect(session.state.seq).toBe(seq);
});

test('assemble does not wait for work that cannot make it fit', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const { session } = await stage(summarizer);
  for (let n = 0; n < 4; n += 1) await exchange(session);
  await session.push({ title: 'Detail' });
  expect(session.state.pending.map(({ purpose }) => purpose)).toEqual(['partial']);
  await session.append({ role: 'assistant', content: 'many words '.repeat(150) });
  expect(await isOver(session.assemble({ tools: tooMuch }))).toBe(true);
});

// What ends a compression early.

test('a push lets a compression go on, and it commits to the part set aside', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const { session, facts } = await stage(summarizer);
  await fill(session);
  await session.push({ title: 'Detail' });
  await session.append({ role: 'user', content: 'In the child' });
  expect(summarizer.calls[0]!.aborted).toBe(false);
  summarizer.calls[0]!.answer('Done so far');
  await until(() => outcomes(facts).length > 0);
  expect(outcomes(facts)).toEqual(['finished by summarizer']);
  expect(session.state.checkpoints[0]?.frame).toBe('f0');
  expect(session.state.active).toBe('f1');
});

test.each(['pop', 'invalidate'] as const)(
  'a %s cancels a compression; its answer is dropped',
  async (how) => {
    const summarizer = scriptedSummarizer([{ hold: true }], { deaf: true });
    const { session, facts } = await stage(summarizer);
    await session.push({ title: 'Detail' });
    await fill(session);
    if (how === 'pop') await session.pop({ status: 'failed', results: 'Nothing came of it' });
    else await session.frames.invalidate('f1');
    await quiet();
    expect(outcomes(facts)).toEqual(['cancelled']);
    expect(summarizer.calls[0]!.aborted).toBe(true);
    const { seq } = session.state;
    summarizer.calls[0]!.answer('Too late');
    await quiet();
    expect(session.state.seq).toBe(seq);
    expect(session.state.checkpoints).toEqual([]);
    expect(session.state.phase).toBe('open');
  },
);

test('a wait for the next attempt ends with the frame, too', async () => {
  const { clock, session, facts } = await stage(scriptedSummarizer([{ fail: 'busy' }]));
  await session.push({ title: 'Detail' });
  await fill(session);
  await until(() => typesOf(facts, 'timer.set').length === 1);
  await session.frames.invalidate('f1');
  const { seq } = session.state;
  clock.increment(100_000);
  await quiet();
  expect(session.state.seq).toBe(seq);
  expect(outcomes(facts)).toEqual(['failed 1', 'cancelled']);
});

test('a session that is configured to harvest ends what it asked of its summarizer', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const { session, facts } = await stage(summarizer);
  await fill(session);
  await session.configure({ summarizer: 'embedded' });
  expect(outcomes(facts)).toEqual(['finished by fallback']);
  expect(session.state.pending).toEqual([]);
  expect(session.state.phase).toBe('open');
  await quiet();
  expect(summarizer.calls[0]!.aborted).toBe(true);
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

// Texts of frames.

test('a partial result by the model comes later and shows at the next epoch only', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const { disk, session } = await stage(summarizer, { window: 8_000 });
  await exchange(session);
  await session.push({ title: 'Detail' });
  const before = await session.assemble();
  await quiet();
  expect(summarizer.calls[0]!.task.purpose).toBe('partial');
  summarizer.calls[0]!.answer('The parent read one file');
  await until(() => session.state.pending.length === 0);
  const after = await session.assemble();
  expect(after.epoch).toBe(before.epoch);
  expect(after.messages).toEqual(before.messages);
  const reopened = await (await openOver(disk.mount())).open('s');
  expect(await reopened.assemble()).toEqual(after);
  await session.push({ title: 'More detail' });
  expect(JSON.stringify(await session.assemble())).toContain('The parent read one file');
});

test('results by the model come later and show at the next epoch only; supplied ones are not asked for', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const { session } = await stage(summarizer, { window: 8_000 });
  await session.push({ title: 'Detail' });
  await exchange(session);
  await session.pop({ status: 'completed' });
  const before = await session.assemble();
  await quiet();
  const asked = summarizer.calls.find(({ task }) => task.purpose === 'results')!;
  asked.answer('Read one file and found nothing');
  await until(() => session.state.pending.length === 0);
  expect((await session.assemble()).messages).toEqual(before.messages);
  await session.push({ title: 'Next' });
  expect(JSON.stringify(await session.assemble())).toContain('Read one file and found nothing');
  await session.append({ role: 'user', content: 'Go on' });
  await session.pop({ status: 'completed', results: 'Told' });
  expect(session.state.pending).toEqual([]);
});

test('the text of an earlier partial result does not take the place of a later one', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }], { deaf: true });
  const { session } = await stage(summarizer, { window: 8_000 });
  await exchange(session);
  await session.push({ title: 'One' });
  await quiet();
  await session.pop({ status: 'completed', results: 'One is done' });
  await exchange(session);
  await session.push({ title: 'Two' });
  await until(() => summarizer.calls.length === 2);
  summarizer.calls[1]!.answer('Two exchanges');
  await until(() => session.state.pending.length === 0);
  summarizer.calls[0]!.answer('One exchange');
  await quiet();
  await session.push({ title: 'Three' });
  const shown = JSON.stringify(await session.assemble());
  expect(shown).toContain('Two exchanges');
  expect(shown).not.toContain('One exchange');
});

test('a result that nobody asked for, or asked for twice, changes nothing and writes nothing', async () => {
  const { disk, store, session } = await stage(scriptedSummarizer([{ hold: true }]));
  await fill(session);
  const { key } = session.state.pending[0]!;
  const live = await (store as Awaited<ReturnType<typeof openOver>>).live('s');
  const stale = [
    { type: 'settle', key: '99/f0', text: 'Done', by: 'scripted' },
    { type: 'fail', key: '99/f0', reason: 'busy' },
    { type: 'fire', key: 'f0' },
  ] as const;
  await live.step({ type: 'settle', key, text: 'Done so far', by: 'scripted' }).durable;
  disk.reset();
  const { seq } = session.state;
  for (const input of stale) await live.step(input).durable;
  await live.step({ type: 'settle', key, text: 'Done again', by: 'scripted' }).durable;
  expect([session.state.seq, disk.commits]).toEqual([seq, 0]);
});

// Across sessions, and across lives.

test('no more effects run at once than the store allows, whatever session they belong to', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const { store } = await stage(summarizer, { options: { effects: { concurrency: 2 } } });
  const sessions = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map((id) => store.open(id, { window, summarizer })),
  );
  for (const session of sessions) await fill(session);
  await quiet();
  expect(summarizer.calls).toHaveLength(2);
  for (let n = 0; n < 5; n += 1) {
    await until(() => summarizer.calls.length > n);
    expect(summarizer.running).toBeLessThanOrEqual(2);
    summarizer.calls[n]!.answer('Done so far');
  }
  await Promise.all(sessions.map((session) => session.settled()));
  expect(summarizer.most).toBe(2);
});

test('a summarizer is not asked for what was given up before its turn', async () => {
  const summarizer = scriptedSummarizer([{ hold: true }]);
  const { store, session } = await stage(summarizer, { options: { effects: { concurrency: 1 } } });
  await fill(session);
  const other = await store.open('t', { window, summarizer });
  await other.push({ title: 'Detail' });
  await fill(other);
  await other.frames.invalidate('f1');
  summarizer.calls[0]!.answer('Done so far');
  await Promise.all([session.settled(), other.settled()]);
  expect(summarizer.calls).toHaveLength(1);
});

test('a store that is closed during a summary starts it again when it is opened', async () => {
  const first = scriptedSummarizer([{ hold: true }]);
  const { disk, store, session } = await stage(first);
  await fill(session);
  await store.close();
  expect(first.calls[0]!.aborted).toBe(true);
  const second = scriptedSummarizer();
  const clock = new SimulatedClock();
  const again = await openOver(disk.mount(), { clock, summarizers: [second] });
  await until(() => second.calls.length > 0);
  const reopened = await again.open('s');
  await settle(clock, reopened);
  expect(second.calls[0]!.task.entries).toEqual(first.calls[0]!.task.entries);
  expect(reopened.state.checkpoints[0]?.by).toBe('scripted');
});

test('a wait for the next attempt survives a reopening', async () => {
  const { disk, store, session, facts } = await stage(scriptedSummarizer([{ fail: 'busy' }]));
  await fill(session);
  await until(() => typesOf(facts, 'timer.set').length === 1);
  await store.close();
  const clock = new SimulatedClock();
  const second = scriptedSummarizer();
  const again = await openOver(disk.mount(), { clock, summarizers: [second] });
  await quiet();
  expect(second.calls).toEqual([]);
  clock.increment(250);
  await until(() => second.calls.length === 1);
  await settle(clock, await again.open('s'));
});

test('work of a summarizer that is not there waits until open supplies it, for every session', async () => {
  const first = scriptedSummarizer([{ hold: true }]);
  const { disk, store, session } = await stage(first);
  await fill(session);
  await fill(await store.open('t', { window, summarizer: first }));
  await store.close();
  const again = await openOver(disk.mount());
  const waiting = await again.open('s');
  expect(await isOver(waiting.settled())).toBe(true);
  expect(waiting.state.pending).toHaveLength(1);
  const second = scriptedSummarizer();
  const supplied = await again.open('t', { summarizer: second });
  await until(() => second.calls.length >= 2);
  await Promise.all([supplied.settled(), waiting.settled()]);
  expect(waiting.state.checkpoints[0]?.by).toBe('scripted');
});

test('an open that fails takes no summarizer in', async () => {
  const mine = scriptedSummarizer();
  const { store, session } = await stage(mine);
  const other = scriptedSummarizer();
  await expect(store.open('new', { summarizer: other })).rejects.toThrow('window');
  const unknown = { window, summarizer: { ...other, name: 'unknown' } };
  await expect(store.open('new', { ...unknown, window: 10 })).rejects.toThrow('window');
  await expect(store.open('t', { window, summarizer: 'unknown' })).rejects.toMatchObject({
    code: 'SUMMARIZER_MISSING',
  });
  await expect(session.configure({ window: 10, summarizer: other })).rejects.toThrow('window');
  await fill(session);
  await session.settled();
  expect([mine.calls.length > 0, other.calls.length]).toEqual([true, 0]);
});

test('an assemble that cannot fit does not wait for a summarizer that is not there', async () => {
  const { disk, store, session } = await stage(scriptedSummarizer([{ hold: true }]));
  await fill(session);
  await store.close();
  const again = await openOver(disk.mount(), { clock: new SimulatedClock() });
  const reopened = await again.open('s');
  expect(await isOver(reopened.assemble({ tools: tooMuch }))).toBe(true);
  expect(reopened.state.checkpoints[0]?.by).toBe('embedded');
});

test('a summarizer is not asked again and again once the store takes no more', async () => {
  const disk = await newDisk();
  const records = disk.mount();
  let fails = false;
  const failing = {
    ...records,
    commit: (changes: Parameters<typeof records.commit>[0]) =>
      fails ? Promise.reject(new Error('No space left')) : records.commit(changes),
  };
  const summarizer = scriptedSummarizer([{ hold: true }, { say: honest }]);
  const store = await openOver(failing, { clock: new SimulatedClock() });
  const session = await store.open('s', { window, summarizer });
  await fill(session);
  fails = true;
  await expect(session.append({ role: 'user', content: 'More' })).rejects.toThrow('No space left');
  summarizer.calls[0]!.answer('Done so far');
  await quiet(40);
  expect(summarizer.calls).toHaveLength(1);
  await expect(session.settled()).rejects.toThrow('No space left');
});

test("the record has people's words, also those that led to it, and says of which subtask it is", async () => {
  const summarizer = scriptedSummarizer([{ say: honest }]);
  const { session } = await stage(summarizer);
  await session.push({ title: 'Find the race', criteria: 'It fails no more' });
  await session.append({ role: 'user', content: 'Never touch src/pool.ts.' });
  for (let n = 0; summarizer.calls.length < 2; n += 1) {
    await session.append({
      role: 'assistant',
      content: `Step ${n}. ${'It looks well. '.repeat(20)}`,
    });
    await session.settled();
  }
  const [first, second] = summarizer.calls.map(({ task }) => task);
  expect(first!.subtask).toBe('Find the race\nIt fails no more');
  for (const { entries } of [first!, second!]) {
    expect(entries[0]).toMatchObject({ role: 'user', content: 'Never touch src/pool.ts.' });
    expect(new Set(entries.slice(1).map(({ role }) => role))).toEqual(new Set(['assistant']));
  }
  expect(second!.entries[1]!.id).not.toBe(first!.entries[1]!.id);
});
