import { expect, test } from 'vitest';
import { fileTokensFor, pagesOf } from '../../../src/core/messages/file-tokens.ts';
import { bytesOf, imageSize } from '../../../src/core/messages/image-size.ts';
import type { FilePart } from '../../../src/core/messages/message.ts';
import { countFor, messageTokens } from '../../../src/core/messages/token-count.ts';
import { openStore } from '../../../src/index.ts';

const base64 = (bytes: readonly number[] | string): string =>
  Buffer.from(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes).toString('base64');
const signs = (text: string): number[] => Array.from(text, (sign) => sign.charCodeAt(0));
const big = (n: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => (n / 256 ** (bytes - 1 - at)) & 255);
const little = (n: number, bytes: number): number[] => big(n, bytes).reverse();

const png = (width: number, height: number): string =>
  base64([
    137,
    ...signs('PNG\r\n\x1a\n'),
    ...big(13, 4),
    ...signs('IHDR'),
    ...big(width, 4),
    ...big(height, 4),
    8,
  ]);
const app = [0xff, 0xe1, ...big(2 + 300, 2), ...Array.from({ length: 300 }, () => 7)];

const images: readonly (readonly [name: string, data: string])[] = [
  ['PNG', png(640, 480)],
  ['PNG with an address of its own', `data:image/png;base64,${png(640, 480)}`],
  ['GIF', base64([...signs('GIF89a'), ...little(640, 2), ...little(480, 2)])],
  [
    'JPEG',
    base64([
      0xff,
      0xd8,
      ...app,
      0xff,
      0xc4,
      0,
      4,
      1,
      1,
      0xff,
      0xc2,
      0,
      17,
      8,
      ...big(480, 2),
      ...big(640, 2),
      3,
    ]),
  ],
  [
    'WebP',
    base64([
      ...signs('RIFF'),
      0,
      0,
      0,
      0,
      ...signs('WEBPVP8 '),
      0,
      0,
      0,
      0,
      1,
      2,
      3,
      0x9d,
      1,
      0x2a,
      ...little(640, 2),
      ...little(480, 2),
    ]),
  ],
  [
    'WebP without loss',
    base64([
      ...signs('RIFF'),
      0,
      0,
      0,
      0,
      ...signs('WEBPVP8L'),
      0,
      0,
      0,
      0,
      0x2f,
      ...little(639 + 479 * 16_384, 4),
    ]),
  ],
  [
    'WebP with more',
    base64([
      ...signs('RIFF'),
      0,
      0,
      0,
      0,
      ...signs('WEBPVP8X'),
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      ...little(639, 3),
      ...little(479, 3),
    ]),
  ],
];

test.each(images)('the size of a %s stands in its first bytes', (_, data) => {
  expect(imageSize(bytesOf(data))).toEqual({ width: 640, height: 480 });
});

test('what is no image has no size', () => {
  const texts = ['', 'AAAA', base64('%PDF-1.7'), base64([0xff, 0xd8, 1, 2]), png(0, 9)];
  expect(texts.map((data) => imageSize(bytesOf(data)))).toEqual(texts.map(() => null));
});

const image = (width: number, height: number, rest: Partial<FilePart> = {}): FilePart => ({
  type: 'file',
  mediaType: 'image/png',
  data: png(width, height),
  ...rest,
});
const costOf = (model: string | null, file: FilePart, provider: string | null = null) =>
  fileTokensFor({ model, provider })?.(file);

test('an image costs what its provider publishes', () => {
  // The examples of the documentation of each.
  expect(costOf('claude-opus-4-5', image(200, 200))).toBe(54);
  expect(costOf('claude-opus-4-5', image(1_000, 1_000))).toBe(1_334);
  expect(costOf('anthropic/claude-x', image(8_000, 8_000))).toBe(1_600);
  expect(costOf('gpt-4o', image(1_024, 1_024))).toBe(765);
  expect(costOf('gpt-4o', image(2_048, 4_096))).toBe(1_105);
  expect(costOf('gpt-4o', image(4_096, 8_192, { detail: 'low' }))).toBe(85);
  expect(costOf('openai/gpt-4o-mini', image(1_024, 1_024))).toBe(2_833 + 4 * 5_667);
  expect(costOf('gpt-5', image(1_024, 1_024))).toBe(70 + 4 * 140);
  expect(costOf('gpt-4.1-mini', image(1_024, 1_024))).toBe(Math.ceil(1_024 * 1.62));
  expect(costOf('gemini-2.5-pro', image(384, 200))).toBe(258);
  expect(costOf('gemini-2.5-pro', image(960, 540))).toBe(6 * 258);
  expect(costOf('mine', image(200, 200), 'anthropic')).toBe(54);
});

test('an image at an address costs the most that one can; a model without a formula has none', () => {
  const far = image(9, 9, { data: 'https://example.org/a.png' });
  expect(costOf('claude-opus-4-5', far)).toBe(1_600);
  expect(costOf('gpt-4o', far)).toBe(85 + 8 * 170);
  expect(costOf('llama3.2:3b', far)).toBeUndefined();
  expect(costOf(null, far)).toBeUndefined();
});

test.each([
  ['as many as it lists', '<</Type /Page>> <</Type/Page/A 1>> <</Type /Pages /Count 2>>', 2],
  ['as its tree says', '<< /Type /Pages /Kids [1 0 R] /Count 31 >>', 31],
  ['as its head says', '<< /Linearized 1 /L 9 /N 12 >>', 12],
  ['one at least', '%PDF-1.7', 1],
  [
    'not those of an outline, nor the objects of a stream',
    '<</Type /Outlines /Count 90>> <</Type /ObjStm /N 80>>',
    1,
  ],
])('a PDF has pages: %s', (_, text, pages) => {
  expect(pagesOf(bytesOf(base64(text)))).toBe(pages);
});

test('pages are found at both ends of a long PDF, and guessed by its length where nothing says', () => {
  const page = '<</Type /Page>>';
  const long = ' '.repeat(1 << 20);
  expect(pagesOf(bytesOf(base64(page + long + page)))).toBe(2);
  expect(pagesOf(bytesOf(base64(long)))).toBe(16);
  const file = { type: 'file', mediaType: 'application/pdf', data: base64(page + page) } as const;
  expect(costOf('gemini-2.5-pro', file)).toBe(2 * 258);
  expect(costOf('claude-opus-4-5', file)).toBe(2 * 4_600);
});

test('an option says what a file costs, whoever the provider is', () => {
  const options = { model: 'claude-opus-4-5', provider: null, fileTokens: 70 };
  const count = (text: string): number => text.length;
  const message = {
    role: 'user',
    content: [image(640, 480), { type: 'text', text: 'ab' }],
  } as const;
  expect(messageTokens(message, count)).toBe(1_006);
  expect(messageTokens(message, countFor(count, options))).toBe(76);
  expect(countFor(count, options)).toBe(countFor(count, options));
  expect(countFor(count, { model: null, provider: null })).toBe(count);
});

test('a session counts files as its model does', async () => {
  await using store = await openStore(':memory:');
  const tokens = async (id: string, options: object): Promise<number> => {
    const session = await store.open(id, { window: 16_000, ...options });
    await session.append({ role: 'user', content: [image(200, 200)] });
    const { messages } = await session.assemble();
    return messages[0]!.tokens;
  };
  expect(await tokens('a', { model: 'claude-opus-4-5' })).toBe(58);
  expect(await tokens('b', { model: 'llama3.2:3b' })).toBe(1_004);
  expect(await tokens('c', { fileTokens: 300 })).toBe(304);
});
