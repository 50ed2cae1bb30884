import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { frameTable } from '../../machines/index.ts';
import type { FrameEvent, FrameStatus } from '../../src/core/frames/frame.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/frames.md');

test('the table of the life cycle is the frame machine', () => {
  const [, heads = ''] = /^\| status \|(.*)\|$/m.exec(page)!;
  const events = heads.split('|').map((head) => `frame.${head.trim()}` as FrameEvent);
  const rows = [...page.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, status, cells = '']) => {
    const next = cells.split('|').map((cell) => cell.trim().replaceAll('`', '') as FrameStatus);
    const moves = events.map((event, at) => [event, next[at]] as const);
    return [status, Object.fromEntries(moves.filter(([, to]) => (to as string) !== ''))];
  });
  expect(Object.fromEntries(rows)).toEqual(frameTable);
});

test('the page names every code that speaks of frames', () => {
  const codes = [...read('src/core/values/error.ts').matchAll(/'(FRAME_\w+)'/g)].map(
    ([, code]) => code!,
  );
  expect(codes.length).toBeGreaterThan(0);
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
