import { expect, test } from 'vitest';
import { openStore, type Message, type Session } from '../../../src/index.ts';

// Where a sentence was said first.

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

const sentence = 'Tokens live in an httpOnly cookie.';
const entries = async (session: Session, text: string, limit = 30): Promise<readonly string[]> =>
  (await session.trace({ text }, { limit, tokens: 9_000 })).map(({ entry }) => entry);

async function said(...messages: readonly Message[]): Promise<Session> {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 64_000 });
  await session.append([...messages]);
  return session;
}

/** Says the words of the sentence more often and closer than any entry that says it. */
const nearer = Array.from({ length: 12 }, (_, n) =>
  assistant(`cookie httpOnly tokens: live cookie ${n}, httpOnly tokens live`),
);
/** Says the sentence among much else. */
const among = `${'It rains in the hills. '.repeat(60)}\n- Tokens **live** in\nan httpOnly cookie. ${'It is dry. '.repeat(60)}`;

test('what says a sentence word for word comes first, the earliest before all, then what is near', async () => {
  const session = await said(
    user('Hello'),
    ...nearer.slice(0, 6),
    assistant(among),
    user('Go on.'),
    ...nearer.slice(6),
    assistant(sentence),
  );
  const found = await entries(session, sentence);
  expect(found.slice(0, 2)).toEqual(['e8', 'e16']);
  expect(found).toContain('e2');
  expect(new Set(found).size).toBe(found.length);
  const [first] = await session.trace({ text: sentence }, { limit: 1, tokens: 200 });
  expect(first).toMatchObject({ entry: 'e8', whole: false });
  expect(first!.text).toContain('Tokens **live** in\nan httpOnly cookie.');
});

test('of many that say it the earliest are given, as many as are asked for', async () => {
  const session = await said(
    user('Hello'),
    ...Array.from({ length: 50 }, (_, n) => assistant(`${'x '.repeat(50 - n)}${sentence}`)),
  );
  expect(await entries(session, sentence, 3)).toEqual(['e2', 'e3', 'e4']);
});

test('a sentence that nobody said so leads to what is near', async () => {
  const session = await said(user('Hello'), assistant('In cookies, httpOnly, the tokens live.'));
  expect(await entries(session, sentence)).toEqual(['e2']);
  expect(await entries(session, 'unheard')).toEqual([]);
});

test('what a checkpoint repeats was said first by whoever said it, also a person, and not after it', async () => {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000 });
  const asked = 'We decided to keep port 7171 for the gateway service.';
  await session.append(user(`Good morning. ${asked}`));
  for (let n = 1; n <= 40; n += 1) {
    await session.append(assistant(`${asked} ${`note ${n} `.repeat(40)}`));
    await session.append(user(`Look at part ${n}.`));
    await session.assemble();
  }
  await session.settled();
  const texts = JSON.stringify((await session.assemble()).messages);
  const [checkpoint] = session.state.checkpoints;
  expect(texts).toContain(asked);
  expect((await entries(session, asked))[0]).toBe('e1');
  const behind = await session.trace({ text: asked, checkpoint: checkpoint!.id });
  const [from, to] = [checkpoint!.from, checkpoint!.to].map((id) => Number(id.slice(1)));
  for (const { entry } of behind) {
    expect(Number(entry.slice(1))).toBeGreaterThanOrEqual(from!);
    expect(Number(entry.slice(1))).toBeLessThanOrEqual(to!);
  }
});
