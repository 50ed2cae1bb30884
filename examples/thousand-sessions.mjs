// A server with a session for each conversation: node examples/thousand-sessions.mjs [folder]
//
// POST /<session> with a message, { role, content, … }, appends it and answers with what to send to
// the model, which fits the window. Then it is asked for 1,000 sessions, to show what that costs.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { isEngineError, openStore } from 'flamestack';

const [given] = process.argv.slice(2);
const folder = given ?? mkdtempSync(join(tmpdir(), 'flamestack-'));
const store = await openStore(folder);

/** What a request answers; the handle is given back, and with the last one the session's memory. */
async function answer(id, message, key) {
  const session = await store.open(id, { window: 8_192 });
  try {
    await session.append(message, key === undefined ? {} : { key });
    const { messages, tokens } = await session.assemble();
    return { messages, tokens };
  } finally {
    await session.close();
  }
}

const server = createServer(async (asked, answered) => {
  try {
    const id = decodeURIComponent(asked.url.slice(1));
    const body = await answer(id, await json(asked), asked.headers['idempotency-key']);
    answered.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  } catch (error) {
    const isTheirs = error instanceof SyntaxError || error.code?.endsWith('_INVALID');
    const status = isTheirs ? 400 : isEngineError(error) && error.retryable ? 503 : 500;
    const { code, message } = error;
    answered.writeHead(status, { 'content-type': 'application/json' });
    answered.end(JSON.stringify({ error: { code, message } }));
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

// From here on, the clients.
const { port } = server.address();
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const ask = (id, message) =>
  new Promise((resolve, reject) => {
    const asked = request({ port, agent, path: `/${id}`, method: 'POST' }, async (answered) => {
      resolve({ status: answered.statusCode, ...(await json(answered)) });
    });
    asked.on('error', reject).end(JSON.stringify(message));
  });

const sessions = Array.from({ length: 1_000 }, (_, n) => `conversation-${n}`);
const began = Date.now();
const answers = await Promise.all(
  sessions.map(async (id) => {
    await ask(id, { role: 'user', content: `Build a notes app, this is ${id}.` });
    return ask(id, { role: 'assistant', content: 'I begin with the tests.' });
  }),
);
const seconds = (Date.now() - began) / 1_000;
const whole = answers.filter(
  ({ status, messages }, n) =>
    status === 200 && JSON.stringify(messages).includes(`this is ${sessions[n]}.`),
);
console.log(whole.length, 'sessions answer with their own words'); // → 1000 sessions answer with their own words
process.stdout.write(`${Math.round((sessions.length * 2) / seconds)} requests a second\n`);
process.stdout.write(`${Math.round(process.memoryUsage().rss / 2 ** 20)} MB of memory\n`);

agent.destroy();
server.close();
await store.close();
if (given === undefined) rmSync(folder, { recursive: true });
