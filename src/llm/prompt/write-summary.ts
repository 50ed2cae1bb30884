import type { JsonSchema } from '../../core/messages/tool-spec.ts';
import { isEngineError } from '../../core/values/error.ts';
import type { SummaryTask } from '../summarizer.ts';
import {
  costOf,
  entryBlocks,
  lineBlocks,
  mostChunks,
  takeChunk,
  textBlock,
  type Block,
} from './chunks.ts';
import { estimate } from './estimate.ts';
import type { PartCache } from './part-cache.ts';
import { cutTo } from './prompt-entry.ts';
import { readAnswer, type SummaryAnswer } from './read-summary.ts';
import { envelopeCost, envelopeOf, promptOf, type Envelope, type Stage } from './summary-prompt.ts';

// How a model writes a summary of anything: what its window holds at once is
// summarized at once; what is longer goes in pieces, and the summaries of the
// pieces are joined, in as many rounds as it takes:
//
//   entries ──► piece ──► part ─┐
//           ──► piece ──► part ─┼──► join ──► (shorten)
//           ──► piece ──► part ─┘

/** One question to a model, without tools. */
export interface Question {
  readonly system: string;
  readonly prompt: string;
  /** What the answer may take, in the model's own tokens. */
  readonly most: number;
  /** Schema that the answer should follow, where the server can see to it. */
  readonly format?: JsonSchema;
}

/** Asks a model; rejects with a `MODEL_` error, or with the signal's reason. */
export type AskModel = (question: Question) => Promise<SummaryAnswer>;

/**
 * Share of the window, less the answer, that a question may take by our
 * estimate. A model's tokens are not ours: it may count 2.5 times as many as
 * the engine does, mostly on digits, code and other alphabets. The estimate is
 * a third too high for prose already, and more for those; half of the window
 * covers the rest.
 */
const share = 0.5;

/** How often pieces are halved when the server still says that they are too long. */
const mostHalvings = 4;

/** Least that a piece gets, in tokens: in a smaller window a question may exceed its share. */
const leastRoom = 60;

interface SummaryRun {
  readonly task: SummaryTask;
  readonly ask: AskModel;
  readonly window: number;
  readonly signal: AbortSignal;
  readonly kept?: PartCache | undefined;
  halvings: number;
}

/** The largest question, in tokens by estimate, beside an answer of `most` tokens in a window. */
export const questionRoom = (window: number, most: number): number =>
  Math.floor((window - most) * share);

/**
 * Writes the summary that `task` asks for. `window` is the model's own, in its
 * tokens. Each question and its answer fit into it, with a margin for what its
 * tokenizer makes of the text; where the server still answers
 * `MODEL_OVERFLOW`, pieces are halved, up to four times. What came of pieces is
 * taken from `kept`, where it is there, and put into it. Resolves with whatever
 * came, too long or '': that also where one piece came back empty twice, for then
 * the others are no summary. Rejects as `ask` does.
 */
export async function writeSummary(
  task: SummaryTask,
  ask: AskModel,
  options: { readonly window: number; readonly signal: AbortSignal; readonly kept?: PartCache },
): Promise<string> {
  const run: SummaryRun = { task, ask, ...options, halvings: 0 };
  const first = await summarizeChunks(run, blocksOf(run), 'whole');
  if (first.length <= 1) return first[0] ?? '';
  let texts = first;
  while (texts.length > 1) texts = await summarizeChunks(run, partBlocks(run, texts), 'join');
  const joined = texts[0] ?? '';
  if (estimate(joined) <= targetOf(run)) return joined;
  const [shorter = ''] = await summarizeChunks(run, [textBlock(joined)], 'shorten');
  return shorter !== '' && estimate(shorter) < estimate(joined) ? shorter : joined;
}

/** What can be asked for at once: a summary is never longer than a fifth of the window. */
const targetOf = ({ task, window }: SummaryRun): number =>
  Math.max(1, Math.min(task.target, Math.floor(window / 5)));

/** What an answer of `target` tokens may take in the model's own, which are more. */
const answerRoom = (window: number, target: number): number =>
  Math.min(target * 2 + 64, Math.floor(window / 4));

function blocksOf(run: SummaryRun): readonly Block[] {
  const { entries, text = '' } = run.task;
  const room = bodyRoom(run, 'whole');
  const earlier = lineBlocks(text, mostChunks * room);
  if (earlier.length === 0 || entries.length === 0)
    return [...earlier, ...entryBlocks(entries, room)];
  const head = textBlock('(Earlier summary:)');
  const after = textBlock('(What came after it:)');
  return [head, ...earlier, after, ...entryBlocks(entries, room)];
}

/** Summaries of parts as blocks of which any two fit together, so that each round leaves at most half. */
function partBlocks(run: SummaryRun, texts: readonly string[]): readonly Block[] {
  const half = Math.floor(bodyRoom(run, 'join') / 2);
  return texts.map((text, at) => {
    const block = textBlock(`(Part ${at + 1} of ${texts.length})\n${text}`);
    return { ...block, ...cutTo(block, half) };
  });
}

/** The answers to one round of questions over `blocks`; none where a piece of several came back empty twice. */
async function summarizeChunks(
  run: SummaryRun,
  blocks: readonly Block[],
  stage: Stage,
): Promise<readonly string[]> {
  const texts: string[] = [];
  let left = blocks;
  while (left.length > 0) {
    const { piece, left: after } = takeChunk(left, bodyRoom(run, stage));
    const isAll = texts.length === 0 && after.length === 0;
    const asked = {
      stage: isAll || stage !== 'whole' ? stage : ('part' as const),
      target: isAll ? targetOf(run) : partTarget(run, stage, costOf(blocks)),
    };
    let text = await askChunk(run, piece, asked);
    if (text === '' && !isAll) text = await askChunk(run, piece, asked);
    if (text === null) continue;
    if (text === '' && !isAll) return [];
    texts.push(text);
    left = after;
  }
  return texts;
}

interface StageTarget {
  readonly stage: Stage;
  /** Length of the answer asked for, in tokens. */
  readonly target: number;
}

/** Asks one question, unless its answer is kept; null where it has to be asked again with less in it. */
async function askChunk(
  run: SummaryRun,
  piece: readonly Block[],
  asked: StageTarget,
): Promise<string | null> {
  const { task, kept } = run;
  const body = piece.map(({ text }) => text).join('\n');
  if (asked.stage !== 'part' || kept === undefined) return askModel(run, body, asked);
  const key = promptOf(envelope(run, asked, { ...task, strict: false }), body);
  const found = kept.find(key);
  if (found !== undefined) return found;
  const text = await askModel(run, body, asked);
  if (text !== null && text !== '') kept.store(key, text);
  return text;
}

async function askModel(run: SummaryRun, body: string, asked: StageTarget): Promise<string | null> {
  const { task, ask, window, signal } = run;
  const around = envelope(run, asked, task);
  const { system, format } = around;
  const most = answerRoom(window, asked.target);
  signal.throwIfAborted();
  try {
    const prompt = promptOf(around, body);
    return readAnswer(await ask({ system, prompt, most, ...(format && { format }) }));
  } catch (error) {
    if (!isEngineError(error, 'MODEL_OVERFLOW') || run.halvings >= mostHalvings) throw error;
    run.halvings += 1;
    return null;
  }
}

const envelope = (run: SummaryRun, asked: StageTarget, task: SummaryTask): Envelope =>
  envelopeOf(task, { ...asked, room: roomOf(run) });

/** What a summary of one of several pieces is asked to be long: together half as long again as the whole. */
function partTarget(run: SummaryRun, stage: Stage, cost: number): number {
  const target = targetOf(run);
  const room = bodyRoom(run, stage);
  const even = Math.ceil((target * 1.5) / Math.max(1, cost / room));
  return Math.max(1, Math.min(target, Math.max(120, even), Math.floor(room / 3)));
}

/** What a question may take now, in tokens. */
const roomOf = (run: SummaryRun): number =>
  Math.floor(questionRoom(run.window, answerRoom(run.window, targetOf(run))) / 2 ** run.halvings);

/** What the transcript in a question may take now, in tokens: less with each overflow, and as much for a strict task, so that its pieces are the same. */
function bodyRoom(run: SummaryRun, stage: Stage): number {
  const stages: readonly Stage[] = stage === 'whole' ? ['whole', 'part'] : [stage];
  const costs = stages.flatMap((one) =>
    [false, true].map((strict) =>
      envelopeCost(envelope(run, { stage: one, target: targetOf(run) }, { ...run.task, strict })),
    ),
  );
  return Math.max(leastRoom, roomOf(run) - Math.max(...costs));
}
