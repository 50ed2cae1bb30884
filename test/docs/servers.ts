import { startOllamaServer, startOpenAIServer } from '../../src/testing/index.ts';

// Models that the examples talk with. They read a file when a person asks for
// something and say what they found; asked for a summary, they write one.

const summary = 'Findings and decisions:\n- checkExpiry1 in src/auth/step1.ts is fixed.';
const found = 'A frame is one unit of work.';
const call = { name: 'read_file', arguments: { path: 'docs/frames.md' } };

interface Said {
  readonly role: string;
  readonly content?: unknown;
}

/** What the last message of a prompt is answered with. */
function answerTo(messages: readonly Said[], hasTools: boolean) {
  const text = String(messages[0]?.content);
  if (text.startsWith('You write summaries')) return { content: summary };
  const isAsked = messages.at(-1)?.role === 'user' && hasTools;
  return isAsked ? { toolCalls: [call] } : { content: found };
}

/** Starts both kinds of server, and names them in the environment as the examples expect. */
export async function startServers(): Promise<{ close(): Promise<void> }> {
  const ollama = await startOllamaServer({
    models: { 'llama3.2:3b': { fits: 4_096, parameterCount: 3_212_749_888 } },
    count: (text) => Math.ceil(text.length / 4),
    reply: ({ messages, body }) => answerTo(messages, (body.tools ?? []).length > 0),
  });
  const openai = await startOpenAIServer({
    dialect: 'llama.cpp',
    model: 'qwen3-8b',
    window: 16_384,
    reply: ({ body }) => answerTo(body.messages ?? [], (body.tools ?? []).length > 0),
  });
  const before = { ...process.env };
  process.env['OLLAMA_HOST'] = ollama.url;
  process.env['OPENAI_BASE_URL'] = openai.url;
  return {
    async close() {
      process.env = before;
      await Promise.all([ollama.close(), openai.close()]);
    },
  };
}
