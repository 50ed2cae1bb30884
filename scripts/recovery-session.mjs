import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { startOllamaServer } from '../dist/testing.js';

// A chat over HTTP whose server drops the beginning of a prompt that is too long, and says nothing: people's
// words of our own example, answered with what was said and found there.

const model = 'llama3.2:3b';

/** Letters of what a tool gave that an answer has. */
const mostFound = 700;

/** Plays the chat into the store of `flamestack`, which starts the program with words and its stdin open. */
export async function playRecovery(flamestack) {
  const turns = turnsOf(readFileSync('examples/notes-app.jsonl', 'utf8'));
  const server = await startOllamaServer({
    // It has half of the window that it is asked for, and does not tell so.
    version: '0.9.0',
    models: { [model]: { fits: 4_096 } },
    reply: ({ messages }) =>
      answerTo(
        turns,
        messages.findLast(({ role }) => role === 'user'),
      ),
  });
  try {
    const words = ['--host', server.url, '--model', model, '--window', '8k', '--no-frames'];
    const chat = flamestack('chat', 'notes-chat', ...words);
    chat.stdin.end(turns.map(({ said }) => `${said}\n`).join(''));
    await once(chat, 'exit');
  } finally {
    await server.close();
  }
}

function answerTo(turns, { content }) {
  return turns.find(({ said }) => content.includes(said))?.answer ?? 'Done.';
}

/** What people said, each with what was answered and found until they said more. */
function turnsOf(text) {
  const turns = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const { message } = JSON.parse(line);
    const { role, content } = message ?? {};
    if (typeof content !== 'string' || content === '') continue;
    if (role === 'user') turns.push({ said: content.replaceAll('\n', ' '), answer: '' });
    else if (turns.length > 0) turns.at(-1).answer += `${content.slice(0, mostFound)}\n\n`;
  }
  return turns;
}
