import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callOf, type CommonOptions } from '../../../src/cli/call/call.ts';
import { partsLine, partText } from '../../../src/cli/call/parts-line.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A line of parts at a terminal, and what it wrote. */
function lineAt(options: CommonOptions = {}, isTTY = true) {
  const written: string[] = [];
  const stderr = { isTTY, columns: 80, write: (text: string) => written.push(text) };
  const { signal } = new AbortController();
  const io = { stdin: process.stdin, stdout: stderr, stderr, env: {}, signal };
  return { line: partsLine(callOf(io, 'test', options)), written };
}

test('a part tells its share, and the time that is left once there is a rate', () => {
  const part = { of: 'entry', share: 0.25, since: 0 };
  expect(partText(part, 0, 500)).toBe('25 %  entry');
  expect(partText(part, 0, 4_000)).toMatch(/^25 %  12 s left  entry$/);
  expect(partText({ ...part, share: 0 }, 0, 500)).toBe('entry');
  expect(partText({ ...part, share: 0 }, 0, 7_000)).toMatch(/^7.*  entry$/);
});

test('the time goes on while a part takes long, and another round has a rate of its own', () => {
  const { line, written } = lineAt();
  line.update({ of: '000005.ldb', share: 0.5 });
  vi.advanceTimersByTime(3_000);
  expect(written.length).toBeGreaterThan(5);
  expect(written.at(-1)).toMatch(/50 %  3.* left  000005\.ldb$/);
  line.update({ of: 'notes', share: 0.1 });
  vi.advanceTimersByTime(500);
  expect(written.at(-1)).toMatch(/10 %  3.*  notes$/);
  line.clear();
  const told = written.length;
  vi.advanceTimersByTime(3_000);
  expect(written.length).toBe(told);
  expect(written.at(-1)).toBe('\r\u001b[2K');
});

test('with --quiet and --json nothing is told', () => {
  const cases = [{ quiet: true }, { json: true }].flatMap((options) =>
    [true, false].map((isTTY) => [options, isTTY] as const),
  );
  for (const [options, isTTY] of cases) {
    const { line, written } = lineAt(options, isTTY);
    line.update({ of: 'notes', share: 0.5 });
    vi.advanceTimersByTime(30_000);
    line.clear();
    expect(written).toEqual([]);
  }
});

test('in a pipe a plain line is told every five seconds, and none of short work', () => {
  const { line, written } = lineAt({}, false);
  line.update({ of: 'notes', share: 0.5 });
  vi.advanceTimersByTime(4_900);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(6_000);
  line.clear();
  vi.advanceTimersByTime(30_000);
  expect(written).toEqual([
    expect.stringMatching(/^50 %  5.* left  notes\n$/),
    expect.stringMatching(/^50 %  1\d.* left  notes\n$/),
  ]);
});
