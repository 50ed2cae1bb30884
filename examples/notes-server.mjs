import { appendFile, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

// A server of tools in the least that it takes: JSON-RPC over stdin and stdout, a message on
// each line. It keeps notes in the file that is named, or in notes.txt.

const file = process.argv[2] ?? 'notes.txt';

const tools = [
  {
    name: 'add_note',
    description: 'Write a note down.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: async ({ text }) => {
      await appendFile(file, `${String(text).replaceAll('\n', ' ')}\n`);
      return 'Noted.';
    },
  },
  {
    name: 'list_notes',
    description: 'All notes, the oldest first.',
    inputSchema: { type: 'object', properties: {} },
    run: () => readFile(file, 'utf8').catch(() => 'There are no notes.'),
  },
];

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  async 'tools/call'({ name, arguments: given }) {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    return { content: [{ type: 'text', text: await tool.run(given) }] };
  },
};

/** The answer to a request; a notification, which has no id, gets none. */
async function answer({ id, method, params = {} }) {
  if (id === undefined) return;
  const send = (more) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...more })}\n`);
  if (!Object.hasOwn(methods, method))
    return send({ error: { code: -32_601, message: `There is no method ${method}.` } });
  try {
    send({ result: await methods[method](params) });
  } catch (error) {
    send({ error: { code: -32_603, message: error.message } });
  }
}

for await (const line of createInterface({ input: process.stdin })) await answer(JSON.parse(line));
