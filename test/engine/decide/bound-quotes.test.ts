import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf } from '../../../src/core/messages/message.ts';
import { openStore, type FrameNode, type Session } from '../../../src/index.ts';

const rule = 'Never log card numbers.';

/** A session whose frame Checkout, in which a rule was laid down, is set aside; something newer was said. */
async function blocked(): Promise<Session> {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000, title: 'Shop' });
  await session.push({ title: 'Checkout' }); // f1
  await says(session, rule);
  await session.pop({ status: 'blocked', results: 'The mock is down.' });
  await says(session, 'Go on with logging.');
  return session;
}

async function says(session: Session, content: string): Promise<void> {
  await session.append([
    { role: 'user', content },
    { role: 'assistant', content: 'I wrote src/log.ts.' },
  ]);
}

/** How often the prompt has a text outside of the tree. */
async function times(session: Session, text: string): Promise<number> {
  const { messages } = await session.assemble();
  const told = messages.filter(({ section }) => section !== 'frames');
  return (
    told
      .map(({ content }) => textOf(content))
      .join('\n')
      .split(text).length - 1
  );
}

test('what people laid down in a blocked frame binds its parent, and stands once when the frame goes on', async () => {
  const session = await blocked();
  expect(await times(session, rule)).toBe(1);
  await session.push({ title: 'Logging' }); // f2
  expect(await times(session, rule)).toBe(1);
  await session.pop({ status: 'completed', results: 'It logs.' });
  await session.frames.start('f1');
  expect(await times(session, rule)).toBe(1);
  await says(session, 'Go on.');
  await session.pop({ status: 'completed', results: 'It pays.' });
  await says(session, 'And the docs.');
  await session.push({ title: 'Docs' });
  expect(await times(session, rule)).toBe(1);
});

test('it binds once where the blocked frame is closed as failed, and no more where it is invalidated', async () => {
  const failed = await blocked();
  await failed.pop({ frame: 'f1', status: 'failed', results: 'No mock.' });
  expect(await times(failed, rule)).toBe(1);
  const invalidated = await blocked();
  await invalidated.frames.invalidate('f1', 'PayPal it is.');
  expect(await times(invalidated, rule)).toBe(0);
});

test('a frame that drops a blocked child hands on nothing of what was laid down in it', async () => {
  for (const status of ['completed', 'blocked'] as const) {
    const session = await blocked();
    await session.push({ title: 'Docs' }); // f2
    await says(session, 'Always name the port.');
    await session.push({ title: 'Pictures' }); // f3
    await says(session, 'Use SVG only.');
    await session.pop({ status: 'blocked', results: 'No tool.' });
    expect(await times(session, 'Use SVG only.')).toBe(1);
    if (status === 'completed') await session.pop({ status, results: 'Written.', drop: true });
    else {
      await session.pop({ status, results: 'Later.' });
      expect(await times(session, 'Use SVG only.')).toBe(1);
      await session.pop({ frame: 'f2', status: 'failed', results: 'No docs.', drop: true });
    }
    await says(session, 'Go on.');
    await session.push({ title: 'Next' });
    expect(await times(session, 'Always name the port.')).toBe(1);
    expect(await times(session, 'Use SVG only.')).toBe(0);
    expect(await times(session, rule)).toBe(1);
  }
});

type Move = 'say' | 'push' | 'completed' | 'failed' | 'blocked' | 'start' | 'fail' | 'invalidate';

test('whatever becomes of frames, each rule stands once, and none of those that were invalidated', async () => {
  const move = fc.constantFrom<Move>(
    ...(['say', 'say', 'push', 'push', 'completed', 'failed', 'blocked', 'blocked'] as const),
    ...(['start', 'start', 'fail', 'invalidate'] as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(move, fc.nat(9)), { maxLength: 24 }), async (moves) => {
      const store = await openStore(':memory:');
      const session = await store.open('s', { window: 32_000 });
      const rules: { readonly text: string; readonly frame: string }[] = [];
      for (const [to, pick] of moves) {
        const tree = session.frames.tree();
        const blockedOnes = frames(tree).filter(({ status }) => status === 'blocked');
        const active = frames(tree).find((frame) => frame.active)!;
        const waiting = active.children.filter(({ status }) => status === 'blocked');
        const one = blockedOnes[pick % blockedOnes.length];
        if (to === 'say') {
          rules.push({ text: `Never touch file ${rules.length}.`, frame: active.id });
          await says(session, rules.at(-1)!.text);
        } else if (to === 'push') await session.push({ title: 'Task' });
        else if (to === 'start')
          await (waiting.length > 0 && session.frames.start(waiting[pick % waiting.length]!.id));
        else if (to === 'fail' || to === 'invalidate') {
          if (one === undefined) continue;
          if (to === 'invalidate') await session.frames.invalidate(one.id);
          else await session.pop({ frame: one.id, status: 'failed', drop: true });
        } else if (active !== tree)
          await session.pop({ status: to, ...(to !== 'blocked' && { drop: true }) });
      }
      await says(session, 'Go on.');
      await session.push({ title: 'Last' });
      const gone = new Set(
        frames(session.frames.tree())
          .filter(({ status }) => status === 'invalidated')
          .flatMap((frame) => frames(frame).map(({ id }) => id)),
      );
      for (const { text, frame } of rules)
        expect([text, await times(session, text)]).toEqual([text, gone.has(frame) ? 0 : 1]);
      await store.close();
    }),
    { numRuns: 60 },
  );
});

/** A frame and all below it. */
const frames = (frame: FrameNode): readonly FrameNode[] => [
  frame,
  ...frame.children.flatMap(frames),
];
