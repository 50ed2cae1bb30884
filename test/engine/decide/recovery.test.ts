import { expect, test } from 'vitest';
import { isEngineError, openStore, type Session, type Store } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';

async function opened(options: object = {}): Promise<{ store: Store; s: Session }> {
  const store = await openStore(':memory:');
  return { store, s: await store.open('s', { window: 8_000, ...options }) };
}

async function work(s: Session): Promise<void> {
  await s.goal.set({
    description: 'Move the tokens to cookies',
    milestones: [
      { text: 'Read the code', status: 'completed' },
      { text: 'Change the guard', status: 'in_progress' },
    ],
    next: ['Write the migration'],
  });
  await s.append([
    { role: 'user', content: 'Change the guard in src/auth.ts.' },
    {
      role: 'assistant',
      content: 'Changing it.',
      toolCalls: [{ id: 'c1', name: 'edit', arguments: { path: 'src/auth.ts', text: 'x' } }],
    },
    { role: 'tool', toolCallId: 'c1', content: 'ok' },
    { role: 'assistant', content: 'The guard is changed.' },
    { role: 'user', content: 'Go on, please.' },
  ]);
}

async function shown(s: Session): Promise<string> {
  const { messages, budget } = await s.assemble();
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  expect(messages.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(budget.total);
  return messages.map(({ content }) => JSON.stringify(content)).join('\n');
}

const line =
  'Recovered context: We were working on Move the tokens to cookies, last completed Read the code, next step is Write the migration.';

test('by itself a recovery announces, and the next assembly tells where the work stood', async () => {
  const { s } = await opened();
  await work(s);
  const { epoch } = s.state;
  const told: unknown[] = [];
  s.on('recovery.announced', ({ text }) => told.push(text));
  s.on('session.recovered', (fact) => told.push(fact.line, fact.source));
  expect(s.recovery.preview()).toBe(line);
  await s.recover();
  expect(told).toEqual(['I may have lost some context. Let me recover...', line, 'state']);
  expect(s.state).toMatchObject({ epoch: epoch + 1, recovery: null, phase: 'open' });
  const text = await shown(s);
  for (const part of [line, 'Change the guard', 'src/auth.ts', 'Go on, please.'])
    expect(text).toContain(part);
});

test('asked to confirm, it waits, also over a restart, and goes on when confirmed', async () => {
  const { store, s } = await opened({ recovery: 'confirm' });
  await work(s);
  await s.recover();
  expect(s.state.phase).toBe('recovering');
  expect(s.state.recovery).toMatchObject({
    state: 'confirming',
    rule: 'recovery.asked',
    line,
    question: 'Does this match where we left off?',
  });
  await s.close();
  const again = await store.open('s');
  expect(again.state.recovery).toMatchObject({ state: 'confirming', line });
  await again.append({ role: 'user', content: 'Are you there?' });
  await again.recovery.confirm();
  expect(again.state).toMatchObject({ recovery: null, phase: 'open' });
  const text = await shown(again);
  expect(text).toContain(line);
  expect(text).toContain('Are you there?');
});

test('what was recovered wrongly gives way to what a person says', async () => {
  const { s } = await opened({ recovery: 'confirm' });
  await work(s);
  await s.recover();
  await s.recovery.confirm(false);
  expect(s.state.recovery).toMatchObject({
    state: 'recap',
    question: 'Could you give me a quick recap of where we left off?',
  });
  await s.recovery.confirm('We were about to ship 2.0.');
  expect(s.state.recovery).toBeNull();
  const text = await shown(s);
  expect(text).toContain('We were about to ship 2.0.');
  expect(text).not.toContain('Recovered context');
});

test('what a person says at once takes the place of what was recovered, and who has nothing to say ends it', async () => {
  const { s } = await opened({ recovery: 'confirm' });
  await work(s);
  await s.recover();
  await s.recovery.confirm('We were about to ship 2.0.');
  expect(s.state).toMatchObject({ recovery: null, phase: 'open' });
  expect(await shown(s)).toContain('We were about to ship 2.0.');
  const told: string[] = [];
  s.on('*', ({ type }) => told.push(type));
  await s.recover();
  await s.recovery.confirm(false);
  await s.recovery.confirm();
  expect(s.state).toMatchObject({ recovery: null, phase: 'open' });
  expect(told).toContain('recovery.cancelled');
  expect(told).not.toContain('session.recovered');
});

test('without a recovery there is nothing to confirm', async () => {
  const { s } = await opened({ recovery: 'confirm' });
  const error = await s.recovery.confirm().catch((one: unknown) => one);
  expect(isEngineError(error, 'RECOVERY_NOT_ASKED')).toBe(true);
});

test.each([{ recovery: 'never' }, { recoveryWords: {} }])('%j is refused', async (bad) => {
  const error = await opened(bad).catch((one: unknown) => one);
  expect(isEngineError(error, 'OPTION_INVALID')).toBe(true);
});

test('a session without anything in it recovers nothing, and asks for a recap if it may', async () => {
  const { s } = await opened();
  await s.recover();
  expect(s.state.recovery).toBeNull();
  expect(await shown(s)).toBe('');
  const { s: other } = await opened({ recovery: 'confirm' });
  await other.recover();
  expect(other.state.recovery).toMatchObject({ state: 'recap', line: expect.any(String) });
});

test('an answer that asks what it was about is a sign, and begins a recovery once', async () => {
  const { s } = await opened();
  await work(s);
  const rules: unknown[] = [];
  s.on('truncation.suspected', ({ rule, truncation }) => rules.push([rule, truncation]));
  const recoveries: unknown[] = [];
  s.on('session.recovered', () => recoveries.push(1));
  for (let n = 0; n < 2; n += 1) {
    const { id } = await s.assemble();
    const content = 'I seem to have lost the context. What were we working on?';
    await s.append({ role: 'assistant', content }, { assembly: id });
  }
  expect(rules).toEqual([
    ['answer.asks', 'suspected'],
    ['answer.asks', 'suspected'],
  ]);
  expect(recoveries).toHaveLength(1);
});

test('a cut that gives the window away makes the session smaller', async () => {
  const { s } = await opened({ window: 16_000, model: 'm' });
  for (let n = 0; n < 24; n += 1) {
    await s.append({ role: 'user', content: prose(120, n) });
    const { id, budget } = await s.assemble();
    if (budget.total > 4_600) break;
    const usage = { inputTokens: budget.total + 10 };
    await s.append({ role: 'assistant', content: prose(120, n + 99) }, { assembly: id, usage });
  }
  const { id } = await s.assemble();
  const judgment = await s.report({ assembly: id, usage: { inputTokens: 2_050 } });
  expect(judgment.truncation).toBe('certain');
  expect(judgment.lost[0]).toBe('e1');
  expect(judgment.lost.length).toBeLessThan(s.state.entries);
  expect(s.state.budget.window).toBe(4_096);
  expect(await shown(s)).toContain('Recovered context');
});

test('what may be left of a usual window, by a guess only, makes the session no smaller', async () => {
  const { s } = await opened({ window: 16_000, model: 'm' });
  await s.append({ role: 'user', content: prose(2_400) });
  const { id, budget } = await s.assemble();
  const { rule } = await ruleOf(s, () => s.report({ assembly: id, usage: { inputTokens: 1_026 } }));
  expect(budget.total).toBeGreaterThan(2_048);
  expect([rule, s.state.budget.window]).toEqual(['count.usual', 16_000]);
  expect(await shown(s)).not.toContain('Recovered context');
});

test('an answer without a count is suspected where a prompt no larger was found cut', async () => {
  const { s } = await opened({ window: 16_000, model: 'm', recovery: 'confirm' });
  for (let n = 0; n < 12; n += 1) {
    await s.append({ role: 'user', content: prose(200, n) });
    const { id, budget } = await s.assemble();
    const usage = { inputTokens: budget.total + 10 };
    await s.append({ role: 'assistant', content: prose(120, n + 99) }, { assembly: id, usage });
  }
  const say = async (usage: { inputTokens?: number }) => {
    await s.append({ role: 'user', content: prose(60) });
    const { id } = await s.assemble();
    return ruleOf(s, () => s.append({ role: 'assistant', content: 'ok' }, { assembly: id, usage }));
  };
  expect(await say({})).toEqual({ rule: undefined });
  expect(await say({ inputTokens: 2_900 })).toEqual({ rule: 'count.fell' });
  expect(await say({})).toEqual({ rule: 'count.missing' });
});

/** The rule of the cut that is suspected while something is done. */
async function ruleOf(s: Session, work: () => Promise<unknown>): Promise<{ rule: unknown }> {
  let rule: unknown;
  const off = s.on('truncation.suspected', (fact) => void (rule = fact.rule));
  await work();
  off();
  return { rule };
}

test('what was recovered is shown until the next checkpoint', async () => {
  const { s } = await opened();
  await work(s);
  await s.recover();
  for (let n = 0; n < 40; n += 1) await s.append({ role: 'assistant', content: prose(300, n) });
  expect(s.state.compressions).toBeGreaterThan(0);
  expect(await shown(s)).not.toContain('<recovered>');
});
