import { linesInTurn } from '../../core/checkpoints/first-lines.ts';
import { isEngineError } from '../../core/values/error.ts';
import { newBreathe, type Breathe } from '../breathe.ts';
import type { SummaryTask } from '../summarizer.ts';
import { costOf, entryBlocks, recordCost, takeChunk, type Block } from './chunks.ts';
import { sayable } from './density.ts';
import { estimate } from './estimate.ts';
import type { PartCache } from './part-cache.ts';
import { readAnswer, type SummaryAnswer } from './read-summary.ts';
import { envelopeCost, envelopeOf, promptOf, type Envelope, type Stage } from './summary-prompt.ts';

// How a model writes a summary: what its window holds is one request. What is longer
// goes in pieces, and the lines about them are put together in turn, the first of each,
// then the second; what is too many is dropped from the end, as of any summary. What a
// model wrote is never summarized again.

/** One question to a model, without tools. */
export interface Question {
  readonly system: string;
  readonly prompt: string;
  /** What the answer may take, in the model's own tokens. */
  readonly most: number;
}

/** Asks a model; rejects with a `MODEL_` error, or with the signal's reason. */
export type AskModel = (question: Question) => Promise<SummaryAnswer>;

/**
 * Share of the window, less the answer, that a question may take by our count. A
 * model's tokens are not ours: what it counts beyond the rest of the window, mostly
 * of digits and other alphabets, it refuses, and then pieces are halved.
 */
const share = 0.75;

/** How often pieces are halved when the server says that they are too long. */
const mostHalvings = 4;

/** Least that a piece gets, in tokens: in a smaller window a question may exceed its share. */
const leastRoom = 60;

/** Least that is asked about one of several pieces, in tokens. */
const leastPart = 60;

/** Share of the record that the time before may take beside it, and what it may beside a short one, in tokens. */
const earlierShare = 0.4;
const leastEarlier = 2_000;

interface SummaryRun {
  readonly task: SummaryTask;
  readonly ask: AskModel;
  readonly window: number;
  readonly signal: AbortSignal;
  readonly kept?: PartCache | undefined;
  /** Length of the summary asked for, in tokens. */
  readonly length: number;
  /** What its answer may take, in the model's own tokens. */
  readonly most: number;
  /** What the time before may take, in tokens. */
  readonly earlier: number;
  readonly breathe: Breathe;
  /** What a question may take now, in tokens: less with each overflow. */
  room: number;
  halvings: number;
}

/** The largest question, in tokens by estimate, beside an answer of `most` tokens in a window. */
export const questionRoom = (window: number, most: number): number =>
  Math.floor((window - most) * share);

/**
 * Writes the summary that `task` asks for, as long as its entries have things to say.
 * `window` is the model's own, in its tokens. Each question and its answer fit into it by
 * estimate; where the server answers `MODEL_OVERFLOW`, pieces are halved, up to four
 * times. What came of pieces is taken from `kept`, where it is there, and put into it.
 * Resolves with whatever came, also '', and with '' where one piece came back empty twice,
 * for then the others are no summary. Rejects as `ask` does.
 */
export async function writeSummary(
  task: SummaryTask,
  ask: AskModel,
  options: { readonly window: number; readonly signal: AbortSignal; readonly kept?: PartCache },
): Promise<string> {
  const { window } = options;
  const target = Math.max(1, Math.min(task.target, Math.floor(window / 5)));
  const breathe = newBreathe();
  const length = Math.min(target, await sayable(task.entries, breathe));
  const most = answerRoom(window, target);
  const room = questionRoom(window, most);
  const earlier = Math.max(leastEarlier, Math.floor(recordCost(task.entries) * earlierShare));
  const sizes = { length, most, earlier, room, halvings: 0 };
  const run: SummaryRun = { task, ask, ...options, ...sizes, breathe };
  const blocks = await entryBlocks(task.entries, bodyRoom(run), breathe);
  return linesInTurn(await summarizeChunks(run, blocks));
}

/** What an answer of `length` tokens may take in the model's own, which are more. */
const answerRoom = (window: number, length: number): number =>
  Math.min(length * 2 + 64, Math.floor(window / 4));

/** The answers to the questions over `blocks`; none where a piece of several came back empty twice. */
async function summarizeChunks(
  run: SummaryRun,
  blocks: readonly Block[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  let left = blocks;
  while (left.length > 0) {
    await run.breathe();
    const { piece, left: after } = takeChunk(left, bodyRoom(run));
    const isAll = texts.length === 0 && after.length === 0;
    const asked = isAll
      ? { stage: 'whole' as const, length: run.length }
      : { stage: 'part' as const, length: partLength(run, costOf(piece) / costOf(blocks)) };
    let text = await askChunk(run, piece, asked);
    if (text === '' && !isAll) text = await askChunk(run, piece, asked);
    if (text === null) continue;
    if (text === '' && !isAll) return [];
    texts.push(text);
    left = after;
  }
  return texts;
}

interface StageLength {
  readonly stage: Stage;
  /** Length of the answer asked for, in tokens. */
  readonly length: number;
}

/** Asks one question, unless its answer is kept; null where it has to be asked again with less in it. */
async function askChunk(
  run: SummaryRun,
  piece: readonly Block[],
  asked: StageLength,
): Promise<string | null> {
  const around = envelope(run, asked);
  const prompt = promptOf(around, piece.map(({ text }) => text).join('\n'));
  const kept = asked.stage === 'part' ? run.kept : undefined;
  const found = kept?.find(prompt);
  if (found !== undefined) return found;
  const most = asked.stage === 'whole' ? run.most : answerRoom(run.window, asked.length);
  run.signal.throwIfAborted();
  try {
    const text = readAnswer(await run.ask({ system: around.system, prompt, most }));
    if (text !== '') kept?.store(prompt, text);
    return text;
  } catch (error) {
    if (!isEngineError(error, 'MODEL_OVERFLOW') || run.halvings >= mostHalvings) throw error;
    run.halvings += 1;
    run.room = Math.floor(Math.min(run.room, estimate(prompt)) / 2);
    return null;
  }
}

const envelope = (run: SummaryRun, asked: StageLength): Envelope =>
  envelopeOf(run.task, { ...asked, room: run.room, earlier: run.earlier });

/** What a summary of a share of the whole is asked to be long: together a fifth longer than the whole. */
const partLength = ({ length }: SummaryRun, part: number): number =>
  Math.min(length, Math.max(leastPart, Math.ceil(length * part * 1.2)));

/** What the transcript in a question may take now, in tokens. */
function bodyRoom(run: SummaryRun): number {
  const costs = (['whole', 'part'] as const).map((stage) =>
    envelopeCost(envelope(run, { stage, length: run.length })),
  );
  return Math.max(leastRoom, run.room - Math.max(...costs));
}
