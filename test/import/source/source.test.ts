import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileSource, memorySource, toSource } from '../../../src/import/source/source.ts';
import type { SourceLine, Source } from '../../../src/import/source/step.ts';
import { newFolder } from '../../store/folder.ts';

const folder = await newFolder();

async function all(lines: AsyncIterable<SourceLine>): Promise<SourceLine[]> {
  const found: SourceLine[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

const text = fc
  .array(fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '\r', '"', 'long '.repeat(9)), {
    maxLength: 40,
  })
  .map((pieces) => pieces.join(''));

const ofText = (whole: string): string[] => {
  const lines = whole.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.replace(/\r$/, ''));
};

test('a text has the same lines however it is cut into strings', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(9), { minLength: 1 }), async (whole, sizes) => {
      const chunks: string[] = [];
      for (let at = 0, n = 0; at < whole.length; n += 1) {
        const size = (sizes[n % sizes.length] ?? 0) + 1;
        chunks.push(whole.slice(at, at + size));
        at += size;
      }
      const lines = await all(memorySource(chunks).lines());
      expect(lines.map((line) => line.text)).toEqual(ofText(whole));
      expect(lines).toEqual(await all(memorySource(whole).lines()));
    }),
  );
});

test('a file has the same lines whatever the size of its chunks, in order and picked', async () => {
  const path = join(folder, 'cut.txt');
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      async (whole, chunk, bom) => {
        await writeFile(path, `${bom ? '\ufeff' : ''}${whole}`);
        const source = await fileSource(path, chunk);
        const lines = await all(source.lines());
        expect(lines.map((line) => line.text)).toEqual(bom && whole === '' ? [''] : ofText(whole));
        expect(lines.at(-1)?.end ?? 0).toBe(source.size);
        const backwards = lines.map(({ line }) => line).reverse();
        expect(await all(source.pick(backwards))).toEqual([...lines].reverse());
        expect(await all((await fileSource(path, chunk)).pick(backwards))).toEqual(
          [...lines].reverse(),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('a line of megabytes is one line', async () => {
  const path = join(folder, 'long.txt');
  const long = 'é'.repeat(3_000_000);
  await writeFile(path, `first\r\n${long}\nlast`);
  const source = await fileSource(path);
  expect((await all(source.lines())).map((line) => line.text.length)).toEqual([5, 3_000_000, 4]);
  expect((await all(source.pick([3, 2]))).map((line) => line.text === long)).toEqual([false, true]);
});

test('what is written to a file after it was opened waits for the next import', async () => {
  const path = join(folder, 'grows.txt');
  await writeFile(path, 'one\ntwo\n');
  const source = await fileSource(path);
  await writeFile(path, 'one\ntwo\nthree\n');
  expect((await all(source.lines())).map((line) => line.text)).toEqual(['one', 'two']);
});

test('a line that is not there is not picked', async () => {
  const path = join(folder, 'short.txt');
  await writeFile(path, 'one\n');
  expect(await all((await fileSource(path)).pick([7, 1]))).toEqual([
    { text: 'one', line: 1, end: 4 },
  ]);
  expect(await all(memorySource('one\n').pick([7, 1]))).toEqual([{ text: 'one', line: 1, end: 4 }]);
});

test('bytes and strings mix, and can be read twice', async () => {
  const source = memorySource([Buffer.from('caf\xc3', 'latin1'), Buffer.from([0xa9, 0x0a]), 'x']);
  expect(source.size).toBeUndefined();
  expect((await all(source.lines())).map((line) => line.text)).toEqual(['café', 'x']);
  expect((await all(source.pick([2, 1]))).map((line) => line.text)).toEqual(['x', 'café']);
  expect(source.size).toBe(7);
});

test.each([
  ['a missing file', () => join(folder, 'missing.jsonl'), 'does not exist'],
  ['a directory', () => folder, 'is a directory'],
  ['a path through a file', () => join(folder, 'cut.txt', 'x'), 'does not exist'],
])('%s cannot be read', async (_, path, reason) => {
  await expect(toSource(path())).rejects.toMatchObject({
    code: 'IMPORT_SOURCE_UNREADABLE',
    message: expect.stringContaining(reason) as string,
  });
});

test('bytes of many lines take the room of the bytes', async () => {
  const before = process.memoryUsage().heapUsed;
  const source = memorySource(Buffer.alloc(2 ** 22, 'y\n'));
  for await (const { line } of source.lines()) if (line === 1_000) break;
  // As texts that are kept they were 40 times as much.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 ** 25);
});

test('the cause of an unreadable path is kept', async () => {
  await expect(fileSource(join(folder, 'missing.jsonl'))).rejects.toMatchObject({
    cause: { code: 'ENOENT' },
  });
});

test('an abort rejects with its reason', async () => {
  const reason = new Error('enough');
  const path = join(folder, 'abort.txt');
  await writeFile(path, 'a\nb\nc\n');
  const sources: Source[] = [
    memorySource('a\nb\nc'),
    await fileSource(path),
    memorySource(['a\n', 'b']),
  ];
  for (const source of sources) {
    await expect(all(source.lines(AbortSignal.abort(reason)))).rejects.toBe(reason);
    await expect(all(source.pick([1], AbortSignal.abort(reason)))).rejects.toBe(reason);
  }
});

test('a text that was read under an abort can be read again', async () => {
  const source = memorySource('a\nb');
  await expect(all(source.lines(AbortSignal.abort()))).rejects.toThrow();
  expect(await all(source.lines())).toHaveLength(2);
});
