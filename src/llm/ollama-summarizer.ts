import type { Ollama, Options } from 'ollama';
import { textOf } from '../core/message.ts';
import { keptParts } from './kept-parts.ts';
import { serverOf, type Call } from './ollama-call.ts';
import { converse } from './ollama-chat.ts';
import { loadedWindow, shownOf, type Shown } from './ollama-facts.ts';
import { calmTemperature, modestWindow, thinkingRoom } from './summary-defaults.ts';
import type { Summarizer } from './summarizer.ts';
import { writeSummary, type Ask } from './write.ts';

/** How summaries are asked for. */
export interface OllamaSummarizerOptions {
  /**
   * Window to ask for, in tokens. Unless told, the one that the model is loaded
   * with, so that the server need not load it anew between chat and summaries;
   * else the one it is set up with, else 8,192 or what it was trained for.
   */
  readonly window?: number;
  /** How long the model stays loaded: "10m", seconds, -1 for ever; as the server is set up unless told. */
  readonly keepAlive?: string | number;
  /** 0.2 unless told. */
  readonly temperature?: number;
  /** Any other option of Ollama, under its name there; those that say how it is loaded as in chat (`num_gpu` …). */
  readonly options?: Readonly<Partial<Omit<Options, 'num_ctx' | 'num_predict'>>>;
}

/**
 * Writes summaries with a model of the server that `client` speaks to. Its name
 * is `ollama/` and the model's. Models that think are told not to; what they
 * think nevertheless is dropped; what they wrote of parts is kept for another attempt.
 */
export function ollamaSummarizer(
  client: Ollama,
  model: string,
  options: OllamaSummarizerOptions = {},
): Summarizer {
  const asked = { server: serverOf(client), api: 'ollama', model } as const;
  const kept = keptParts();
  let known: Shown | null = null;

  return {
    name: `ollama/${model}`,
    async summarize(task, { signal }) {
      const call = { client, asked, signal };
      known ??= await shownOf(call);
      const window = options.window ?? (await windowNow(call, known));
      const ask = asking(call, { window, model: known, options });
      return writeSummary(task, ask, { window, signal, kept });
    },
  };
}

async function windowNow(call: Call, { facts }: Shown): Promise<number> {
  const loaded = await loadedWindow(call);
  return loaded ?? facts.configured ?? Math.min(facts.trained ?? modestWindow, modestWindow);
}

interface Setting {
  readonly window: number;
  readonly model: Shown;
  readonly options: OllamaSummarizerOptions;
}

function asking(call: Call, { window, model, options }: Setting): Ask {
  const { keepAlive, temperature = calmTemperature } = options;
  const room = model.thinking === 'always' ? thinkingRoom(window) : 0;
  return async ({ system, prompt, most, format }, { signal }) => {
    const { message } = await converse(
      { ...call, signal },
      {
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ],
        options: { ...options.options, temperature, num_ctx: window, num_predict: most + room },
        truncate: false,
        shift: false,
        ...(format !== undefined && { format }),
        ...(model.thinking === 'optional' && { think: false }),
        ...(model.thinking === 'always' && { think: 'low' as const }),
        ...(keepAlive !== undefined && { keep_alive: keepAlive }),
      },
    );
    return { text: textOf(message.content), cut: message.finish === 'length' };
  };
}
