import { expect, test } from 'vitest';
import { type GroupCommit, groupCommit } from '../../src/store/group-commit.ts';

/** A disk whose writes end when the test says so. */
function disk(): {
  group: GroupCommit<string>;
  writes: string[];
  finish: (error?: Error) => Promise<void>;
} {
  const writes: string[] = [];
  let end: (error?: Error) => void = () => {};
  const group = groupCommit<string>('here', (changes) => {
    writes.push(changes.join(''));
    return new Promise((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error));
    });
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const finish = async (error?: Error): Promise<void> => {
    await turn();
    end(error);
    await turn();
  };
  return { group, writes, finish };
}

test('commits of one moment, and those that come during a sync, share the next one', async () => {
  const { group, writes, finish } = disk();
  const first = [group.commit(['a'], 1), group.commit(['b', 'c'], 2)];
  await new Promise((resolve) => setImmediate(resolve));
  const second = [group.commit(['d'], 1), group.commit(['e'], 1)];
  await finish();
  await Promise.all(first);
  await finish();
  await Promise.all(second);
  expect(writes).toEqual(['abc', 'de']);
});

test('commits that follow each other by microtasks share one write', async () => {
  const { group, writes, finish } = disk();
  const all: Promise<void>[] = [];
  for (const one of ['a', 'b', 'c', 'd']) {
    all.push(group.commit([one], 1));
    for (let hop = 0; hop < 10; hop += 1) await Promise.resolve();
  }
  await finish();
  await Promise.all(all);
  expect(writes).toEqual(['abcd']);
});

test('64 callers that commit over and over need one write per round', async () => {
  const writes: number[] = [];
  const group = groupCommit<number>('here', async (changes) => {
    writes.push(changes.length);
    await new Promise((resolve) => setImmediate(resolve));
  });
  const caller = async (): Promise<void> => {
    for (let round = 0; round < 10; round += 1) await group.commit([round], 10);
  };
  await Promise.all(Array.from({ length: 64 }, caller));
  expect(writes).toEqual(Array.from({ length: 10 }, () => 64));
});

test('a group stays below a mebibyte, and what is larger goes alone, in its turn', async () => {
  const sizes: string[] = [];
  const group = groupCommit<string>('here', async (changes) => void sizes.push(changes.join('')));
  const half = 1 << 19;
  const calls = [
    group.commit(['a'], half),
    group.commit(['b'], half),
    group.commit(['c'], 1),
    group.commit(['D'], half * 10),
    group.commit(['e'], 1),
    group.commit(['f'], 1),
  ];
  await Promise.all(calls);
  expect(sizes).toEqual(['ab', 'c', 'D', 'ef']);
});

test('a failed write rejects all of its group, those who wait, and every later commit', async () => {
  const { group, writes, finish } = disk();
  const cause = new Error('EIO');
  const lost = Promise.allSettled([group.commit(['a'], 1), group.commit(['b'], 1)]);
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = Promise.allSettled([group.commit(['c'], 1)]);
  await finish(cause);
  const later = Promise.allSettled([group.commit(['d'], 1)]);
  const outcomes = [...(await lost), ...(await waiting), ...(await later)];
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'STORE_UNAVAILABLE',
        retryable: false,
        message: expect.stringContaining('failed (EIO)'),
        cause,
      },
    });
  }
  expect(outcomes).toHaveLength(4);
  expect(writes).toEqual(['ab']);
  await group.settled();
});

test('settled waits for what is under way, also when it fails', async () => {
  const { group, finish } = disk();
  await group.settled();
  const order: string[] = [];
  const commit = group.commit(['a'], 1).catch(() => order.push('commit'));
  const settled = group.settled().then(() => order.push('settled'));
  await finish(new Error('EIO'));
  await Promise.all([commit, settled]);
  expect(order).toEqual(['commit', 'settled']);
});
