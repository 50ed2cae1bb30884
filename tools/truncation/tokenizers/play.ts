import { Ollama } from 'ollama';
import {
  isEngineError,
  ollamaModel,
  openStore,
  type Message,
  type Session,
  type ToolSpec,
} from '../../../src/index.ts';
import { startOllamaServer, type OllamaServerOptions } from '../../../src/testing/ollama-server.ts';
import { between, pick, type Random, randomOf } from '../../random.ts';
import { prose } from '../../../src/testing/made-text.ts';
import { textOf } from '../text.ts';
import { turnOf } from '../turn.ts';
import type { Tokenizer } from './tokenizer.ts';

// A session on a server that never cuts, and counts with another vocabulary. Whatever is
// suspected in it is a false alarm, and a recovery interrupts for nothing.

/** What a server counts and shows of a prompt besides its text. */
export interface Habit {
  readonly name: string;
  /** What becomes of the count; told always unless told. */
  readonly counts?: NonNullable<OllamaServerOptions['counts']>;
  /** Tools that the model may call. */
  readonly tools?: number;
  /** Share of turns with an image, which the server counts as 768 tokens. */
  readonly images?: number;
  /** Size of a system prompt that the server adds, in tokens. */
  readonly system?: number;
  /** Size of the first prompt, which an agent begins with, in tokens. */
  readonly first?: number;
}

/** Servers that count otherwise in ways that no vocabulary explains. */
export const habits: readonly Habit[] = [
  { name: 'plain' },
  { name: 'tools', tools: 24 },
  { name: 'large first prompt', first: 6_000 },
  { name: 'images', images: 0.15 },
  { name: 'hidden system prompt', system: 700 },
  { name: 'counts new tokens only', counts: 'uncached' },
  { name: 'every other count missing', counts: 'sometimes' },
];

/** What came of one session. */
export interface WholeTally {
  readonly requests: number;
  /** Rules of what was suspected, in order. */
  readonly suspicions: readonly string[];
  /** Recoveries that began. */
  readonly interruptions: number;
}

/** Plays a session that is never cut; with `recovery: 'confirm'`, as a chat does. */
export async function playTokenizer(given: {
  readonly tokenizer: Tokenizer;
  readonly habit: Habit;
  readonly seed: number;
}): Promise<WholeTally> {
  const { tokenizer, habit, seed } = given;
  const random = randomOf(seed);
  const window = pick(random, [8_192, 16_384, 32_768]);
  const { count, template } = tokenizer;
  await using server = await startOllamaServer({
    models: {
      m: {
        mode: 'rendered',
        ...(template === undefined ? {} : { template }),
        ...(habit.system === undefined ? {} : { system: prose(habit.system) }),
      },
    },
    count,
    counts: habit.counts ?? 'always',
    reply: () => textOf(random),
  });
  const model = ollamaModel(new Ollama({ host: server.url }), 'm');
  await using store = await openStore(':memory:');
  const system = habit.system === undefined ? { system: prose(between(random, 20, 600)) } : {};
  const session = await store.open('s', { window, model: 'm', recovery: 'confirm', ...system });
  const heard: { suspicions: string[]; interruptions: number } = {
    suspicions: [],
    interruptions: 0,
  };
  session.on('truncation.suspected', ({ rule }) => {
    if (rule !== 'prompt.refused') heard.suspicions.push(rule);
  });
  session.on('recovery.announced', () => void (heard.interruptions += 1));
  const tools = toolsOf(habit.tools ?? 0);
  const turns = between(random, 15, 45);
  let requests = 0;
  for (let n = 0; n < turns; n += 1) {
    await session.append(messagesOf(random, n, habit));
    const assembly = await session.assemble({ tools });
    try {
      const { message, usage } = await model.reply({ assembly, tools });
      await session.append(message, { assembly: assembly.id, usage });
    } catch (error) {
      if (!isEngineError(error, 'MODEL_OVERFLOW')) throw error;
      await session.report({ assembly: assembly.id, error });
    }
    if (session.state.recovery !== null) await session.recovery.confirm(true);
    requests += 1;
    await moveFrames(session, random);
  }
  const cut = server.log.find(({ dropped, middle }) => dropped.length > 0 || middle > 0);
  if (cut !== undefined)
    throw new Error(`A prompt was cut: ${tokenizer.name}, ${habit.name}, ${seed}`);
  return { requests, ...heard };
}

async function moveFrames(session: Session, random: Random): Promise<void> {
  const chance = random();
  if (chance < 0.06) await session.push({ title: 'A part of it', criteria: 'done' });
  else if (chance < 0.12 && session.state.active !== 'f0')
    await session.pop({ status: 'completed', results: textOf(random) });
}

function messagesOf(random: Random, n: number, habit: Habit): readonly Message[] {
  const turn = turnOf(random, n);
  if (n === 0 && habit.first !== undefined)
    return [{ role: 'user', content: mixed(random, habit.first) }];
  if (random() >= (habit.images ?? 0)) return turn;
  const image = { type: 'file', mediaType: 'image/png', data: 'aGVsbG8=' } as const;
  return [{ role: 'user', content: [{ type: 'text', text: textOf(random) }, image] }];
}

/** A text of some `size` tokens in several manners. */
function mixed(random: Random, size: number): string {
  const parts: string[] = [];
  for (let length = 0; length < 4 * size; length += parts.at(-1)!.length)
    parts.push(textOf(random));
  return parts.join('\n\n');
}

const toolsOf = (count: number): readonly ToolSpec[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `tool_${n}`,
    description: prose(60, n),
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: prose(16, n + 50) },
        limit: { type: 'integer' },
      },
      required: ['path'],
    },
  }));
