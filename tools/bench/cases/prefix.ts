import { basename } from 'node:path';
import { openStore, type Assembly, type Session } from '../../../src/index.ts';
import type { Bench } from '../bench.ts';
import { transcript } from '../input/transcript.ts';
import { inProcess } from '../process.ts';
import type { Row } from '../row.ts';

// How much of each prompt a model server has in its cache already: the share
// that is byte-identical to the start of the prompt before, once the history
// exceeds the limit. A prompt is what is assembled before an assistant message.
// The goals are for sessions that took place: give their files. The generated
// transcript is cut anywhere and repeats itself, so it is only compared with itself.

const limits = [
  { limit: 8_000, goal: 80 },
  { limit: 16_000, goal: 90 },
  { limit: 32_000, goal: 95 },
] as const;

/** What prompts shared. */
interface Reuse {
  /** Percent of each prompt, with that of the whole run. */
  readonly mean: number;
  readonly prompts: number;
  /** Prompts over the limit. */
  readonly over: number;
}

interface Given {
  readonly limit: number;
  readonly length: number;
}

/** Reuse on a generated transcript. */
export async function prefixPart({ limit, length }: Given): Promise<Reuse> {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: limit, reserve: 0 });
  const watch = watchPrompts(session, limit);
  for (const message of transcript(length)) {
    if (message.role === 'assistant') watch.see(await session.assemble());
    await session.append(message);
  }
  await store.close();
  return watch.reuse();
}

/** Reuse on a session file. */
export async function importedPart({
  limit,
  file,
}: {
  limit: number;
  file: string;
}): Promise<Reuse> {
  const store = await openStore(':memory:');
  let watch: ReturnType<typeof watchPrompts> | null = null;
  let waiting: Assembly | null = null;
  await store.import(file, {
    window: limit,
    reserve: 0,
    async onProgress({ session, step }) {
      watch ??= watchPrompts(session, limit);
      const said = step === 'append' ? await session.entry(`e${session.state.entries}`) : null;
      if (waiting !== null && said?.role === 'assistant') watch.see(waiting);
      if (session.state.phase !== 'completed' && session.state.entries > 0)
        waiting = await session.assemble();
    },
  });
  await store.close();
  return watch!.reuse();
}

function watchPrompts(session: Session, limit: number) {
  let before = '';
  let shared = 0;
  let prompts = 0;
  let over = 0;
  return {
    see({ messages, budget }: Assembly): void {
      const prompt = messages
        .map((message) => JSON.stringify([message.role, message.content, callsOf(message)]))
        .join('\n');
      if (budget.total > limit) over += 1;
      if (session.state.tokens > limit) {
        shared += common(before, prompt) / prompt.length;
        prompts += 1;
      }
      before = prompt;
    },
    reuse: (): Reuse => ({ mean: (100 * shared) / prompts, prompts, over }),
  };
}

function callsOf(message: Assembly['messages'][number]): unknown {
  return 'toolCalls' in message ? message.toolCalls : null;
}

/** How many characters two texts begin with alike. */
function common(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

export const prefix: Bench = {
  name: 'prefix',
  title:
    'Prefix reuse: share of a prompt that begins like the one before, once history exceeds the limit',
  async run({ quick, files }) {
    const rows: Row[] = [];
    for (const { limit } of limits) {
      const given: Given = { limit, length: quick ? 800 : 4_000 };
      const reuse = await inProcess<Reuse>('prefix', given);
      rows.push(toRow('generated transcript', limit, reuse));
    }
    for (const file of files) {
      for (const { limit, goal } of limits) {
        const reuse = await inProcess<Reuse>('imported', { limit, file });
        const row = toRow(basename(file), limit, reuse);
        if (reuse.prompts > 0) rows.push({ ...row, goal: { atLeast: goal } });
      }
    }
    return rows;
  },
};

function toRow(name: string, limit: number, reuse: Reuse): Row {
  const { mean, prompts, over } = reuse;
  return {
    work: `${name}, limit ${limit.toLocaleString('en')}`,
    unit: '%',
    samples: [mean],
    note: `${prompts} prompts, ${over} over the limit`,
  };
}
