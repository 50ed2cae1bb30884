import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callOf, type CommandCall } from '../../../../src/cli/call/call.ts';
import { nextStamp, storeStamp } from '../../../../src/cli/sessions/store/store-stamp.ts';
import { readSession } from '../../../../src/cli/sessions/with-session.ts';
import { sessionSteps } from '../../../../src/cli/view/session-steps.ts';
import { openStore, storeOwner } from '../../../../src/index.ts';
import { folder } from '../../call.ts';

const { signal } = new AbortController();

function callOn(store: string): CommandCall {
  const write = (): boolean => true;
  const io = { stdin: process.stdin, stdout: { write }, stderr: { write }, env: {}, signal };
  return callOf(io, 'test', { store });
}

test('a stamp changes when somebody writes, and not when somebody reads', async () => {
  const place = join(await folder(), 'store');
  const call = callOn(place);
  expect(await storeStamp(call)).toBe(null);
  await using store = await openStore(place);
  const session = await store.open('one', { window: 4_000 });
  await expect.poll(() => storeOwner(place)).toMatchObject({ session: 'one' });
  let before = await storeStamp(call);
  for (let n = 0; n < 3; n += 1) {
    await readSession(call, 'one', async () => undefined);
    expect(await storeStamp(call)).toBe(before);
    await session.append({ role: 'user', content: `Message ${n}` });
    const after = await nextStamp(call, before, { signal });
    expect(after).not.toBe(before);
    before = after;
  }
  expect(await storeStamp(callOn('postgres://127.0.0.1/none'))).toBe(null);
});

test('a file that goes while it is looked at costs the stamp, and nothing else', async () => {
  const place = join(await folder(), 'store');
  await using store = await openStore(place);
  await store.open('one', { window: 4_000 });
  await expect.poll(() => storeOwner(place)).toMatchObject({ session: 'one' });
  await symlink('gone', join(place, '999999.log'));
  for (let n = 0; n < 20; n += 1) expect(await storeStamp(callOn(place))).toBe(null);
});

test('what another writes is told within about a second, and the wait for it ends on abort', async () => {
  const place = join(await folder(), 'store');
  await using store = await openStore(place);
  const session = await store.open('one', { window: 4_000 });
  await session.append({ role: 'user', content: 'First' });
  const gone = new AbortController();
  const steps = sessionSteps(callOn(place), 'one', { live: true, signal: gone.signal });
  for await (const one of steps) if ('seq' in one && !('news' in one)) break;
  const live = sessionSteps(callOn(place), 'one', { live: true, signal: gone.signal });
  const news: string[] = [];
  const isLive: unknown[] = [];
  let began = 0;
  for await (const one of live) {
    if ('news' in one) news.push(...one.news.flatMap((told) => ('text' in told ? told.text : [])));
    if ('news' in one || !('seq' in one)) continue;
    isLive.push(one.written);
    if (began > 0) break;
    began = performance.now();
    await session.append({ role: 'user', content: 'Second' });
  }
  expect(news).toEqual(['First', 'Second']);
  // Nobody else has it open, as nobody has it between what `import --follow` takes in.
  expect(isLive).toEqual([false, true]);
  expect(performance.now() - began).toBeLessThan(3_000);
  const stamp = await storeStamp(callOn(place));
  expect(await nextStamp(callOn(place), stamp, { signal: gone.signal, most: 300 })).toBe(stamp);
  const waiting = nextStamp(callOn(place), stamp, { signal: gone.signal });
  gone.abort();
  await expect(waiting).rejects.toThrow();
});
