import { readOnce } from '../values/read-once.ts';
import { bytesOf, imageSize, type Bytes, type ImageSize } from './image-size.ts';
import { isUrl } from './message-text.ts';
import type { FilePart } from './message.ts';

// What an image costs follows from its size, by a formula that each provider publishes; what a PDF
// costs, from its pages. An address says neither, and stands with the most that an image costs.
//
//   anthropic   docs.anthropic.com, vision and PDF support: width × height / 750 after the image is
//               scaled to 1,568 on a side and 1,600 tokens; a page 1,500 to 3,000 for its text, and its image
//   openai      platform.openai.com, images and vision: a base and so much for each tile of 512, after it is
//               scaled into 2,048 and to 768 on the shorter side; newer small models by patches of 32
//   gemini      ai.google.dev, token counting: 258 up to 384 on a side, else for each tile; 258 a page

/** The tokens of one file of a message. */
export type FileTokens = (file: FilePart) => number;

/** What a file costs where nobody says more. */
export const plainFileTokens = 1_000;

/** Who serves a model, and how files are to be counted, as the options of a session say. */
export interface FileOptions {
  readonly model: string | null;
  readonly provider: string | null;
  /** Tokens of any file; left out for the formula of the provider. */
  readonly fileTokens?: number;
}

/** How files are counted for a model; undefined for 1,000 each. The same function for the same formula. */
export const fileTokensFor: (options: FileOptions) => FileTokens | undefined = readOnce(
  ({ fileTokens, model, provider }) => {
    const name =
      fileTokens === undefined ? formulaOf(provider ?? '', model ?? '') : String(fileTokens);
    if (name === undefined) return undefined;
    const cached = formulas.get(name);
    if (cached !== undefined) return cached;
    const formula = fileTokens === undefined ? openaiFormula(model ?? '') : () => fileTokens;
    formulas.set(name, formula);
    return formula;
  },
);

const formulas = new Map<string, FileTokens>([
  ['anthropic', byKind({ image: anthropicImage, most: 1_600, page: 4_600 })],
  ['gemini', byKind({ image: geminiImage, most: 4 * 258, page: 258 })],
]);

/** The name of a formula; undefined where none is published. */
function formulaOf(provider: string, model: string): string | undefined {
  if (provider === 'anthropic' || /(?:^|[/.])claude/i.test(model)) return 'anthropic';
  if (/^(?:google|gemini|vertex)/.test(provider) || /(?:^|\/)gemini/i.test(model)) return 'gemini';
  const own = /(?:^|\/)((?:chatgpt|gpt-[4-9]|o[134]|computer-use)[\w.-]*)$/i.exec(model)?.[1];
  return own === undefined ? undefined : `openai ${own.toLowerCase()}`;
}

/** The costs of one provider, in tokens. */
interface FileCosts {
  readonly image: (size: ImageSize, detail: FilePart['detail']) => number;
  /** Of an image whose size cannot be read. */
  readonly most: number;
  /** Of a page of a PDF. */
  readonly page: number;
}

function byKind({ image, most, page }: FileCosts): FileTokens {
  return (file) => {
    const bytes = isUrl(file.data) ? null : bytesOf(file.data);
    if (file.mediaType === 'application/pdf') return page * (bytes === null ? 1 : pagesOf(bytes));
    if (!file.mediaType.startsWith('image/')) return plainFileTokens;
    const size = bytes === null ? null : imageSize(bytes);
    return size === null ? most : Math.ceil(image(size, file.detail));
  };
}

/** The size of an image scaled down to `most` pixels on its longer side. */
function within({ width, height }: ImageSize, most: number): ImageSize {
  const scale = Math.min(1, most / Math.max(width, height));
  return { width: width * scale, height: height * scale };
}

function anthropicImage(size: ImageSize): number {
  const { width, height } = within(size, 1_568);
  return Math.min(1_600, (width * height) / 750);
}

/** A crop unit is two thirds of the shorter side, at least 256 and at most 768. */
function geminiImage({ width, height }: ImageSize): number {
  if (width <= 384 && height <= 384) return 258;
  const unit = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  return 258 * Math.ceil(width / unit) * Math.ceil(height / unit);
}

/** Models of OpenAI by the beginning of their names, the longest first: a base and what a tile costs, or a factor on patches. */
const openaiModels: readonly (readonly [start: RegExp, ...costs: readonly number[]])[] = [
  [/^gpt-5[\d.]*-mini/, 1.62],
  [/^gpt-5[\d.]*-nano/, 2.46],
  [/^gpt-4\.1-mini/, 1.62],
  [/^gpt-4\.1-nano/, 2.46],
  [/^o4-mini/, 1.72],
  [/^gpt-4o-mini/, 2_833, 5_667],
  [/^computer-use/, 65, 129],
  [/^gpt-[5-9]/, 70, 140],
  [/^o[13]/, 75, 150],
  [/^/, 85, 170],
];

function openaiFormula(model: string): FileTokens {
  const own = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const [, base = 0, tile] = openaiModels.find(([start]) => start.test(own))!;
  const most = tile === undefined ? 1_536 * base : base + 8 * tile;
  const image: FileCosts['image'] =
    tile === undefined
      ? (size) => base * patchesOf(size)
      : (size, detail) => base + (detail === 'low' ? 0 : tile * tilesOf(size));
  return byKind({ image, most: Math.ceil(most), page: Math.ceil(most) + 1_000 });
}

/** Tiles of 512 on a side, after an image is scaled into 2,048 and its shorter side to 768. */
function tilesOf(size: ImageSize): number {
  const { width, height } = within(size, 2_048);
  const scale = Math.min(1, 768 / Math.min(width, height));
  return Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
}

/** Patches of 32 on a side, 1,536 at most. */
const patchesOf = ({ width, height }: ImageSize): number =>
  Math.min(1_536, Math.ceil(width / 32) * Math.ceil(height / 32));

/** Bytes of a PDF that are looked through at its start, and at its end. */
const lookedAt = 1 << 17;
/** Bytes of a page whose number stands nowhere. */
const bytesOfPage = 1 << 16;

/** The pages of a PDF: as many as it lists, or says it has; by its length where that is compressed. */
export function pagesOf(bytes: Bytes): number {
  const text =
    textIn(bytes, 0, Math.min(bytes.length, lookedAt)) +
    textIn(bytes, Math.max(lookedAt, bytes.length - lookedAt), bytes.length);
  const listed = text.match(/\/Type\s{0,4}\/Page(?![\w])/g)?.length ?? 0;
  const said = [...countsIn(text)];
  const pages = Math.max(listed, ...said, 0);
  return pages > 0 ? pages : Math.max(1, Math.ceil(bytes.length / bytesOfPage));
}

/** Longest part of a tree of pages before its count, in characters. */
const mostBefore = 2_000;

/** What trees of pages say of how many they have, and the head of a PDF that is made for the web. */
function* countsIn(text: string): Generator<number> {
  for (const { index } of text.matchAll(/\/Type\s{0,4}\/Pages\b/g)) {
    const [tree = ''] = text.slice(index, index + mostBefore).split('>');
    yield Number(/\/Count\s{1,4}(\d{1,6})/.exec(tree)?.[1] ?? 0);
  }
  for (const { index } of text.matchAll(/\/Linearized\b/g)) {
    const [head = ''] = text.slice(index, index + mostBefore).split('>');
    yield Number(/\/N\s{1,4}(\d{1,6})/.exec(head)?.[1] ?? 0);
  }
}

function textIn(bytes: Bytes, from: number, to: number): string {
  const codes: number[] = [];
  for (let at = from; at < to; at += 1) codes.push(bytes.at(at));
  let text = '';
  for (let at = 0; at < codes.length; at += 4_096)
    text += String.fromCharCode(...codes.slice(at, at + 4_096));
  return text;
}
