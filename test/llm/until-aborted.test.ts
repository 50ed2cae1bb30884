import { expect, test, vi } from 'vitest';
import { untilAborted } from '../../src/llm/until-aborted.ts';

const reason = new Error('no longer wanted');
const never = new Promise<never>(() => {});

test('work is waited for, and the signal let go of', async () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error('gone')), signal)).rejects.toThrow('gone');
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
    added.mock.calls.map(([, listener]) => listener),
  );
  expect(await untilAborted(Promise.resolve(2), undefined)).toBe(2);
});

test('an abort ends the wait, and its reason is the error', async () => {
  const ending = new AbortController();
  const waiting = untilAborted(never, ending.signal);
  ending.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  const failing = Promise.reject(new Error('by the way'));
  await expect(untilAborted(failing, ending.signal)).rejects.toBe(reason);
});

test('a signal that has aborted already is not listened to', async () => {
  const signal = AbortSignal.abort(reason);
  const added = vi.spyOn(signal, 'addEventListener');
  await expect(untilAborted(never, signal)).rejects.toBe(reason);
  expect(added).not.toHaveBeenCalled();
});
