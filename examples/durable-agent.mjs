// An agent loop that outlives its process: node examples/durable-agent.mjs [folder]
// Stop it whenever you like and start it again: it goes on where it was.
import { setTimeout as sleep } from 'node:timers/promises';
import { assign, fromPromise, setup } from 'xstate';
import { durable, openStore } from 'flamestack';

const folder = process.argv[2] ?? process.env.AGENT_STORE ?? './agent-store';
const pace = Number(process.env.AGENT_PACE ?? 1_000);
const print = (line) => process.stdout.write(`${line}\n`);

// When: ask the model, keep what it says, run the tool that it calls, keep what that gives, and ask again;
// where the model is busy, a little later.
const port = fromPromise(() => Promise.reject(new Error('no body')));
const agent = setup({
  actors: { ask: port, run: port, keep: port },
  guards: { isCall: ({ context }) => context.message.toolCalls !== undefined },
  actions: {
    takeMessage: assign({ message: ({ event }) => event.output }),
    countTurn: assign({ turn: ({ context }) => context.turn + 1 }),
  },
}).createMachine({
  id: 'agent',
  version: '1',
  context: { turn: 0, message: { role: 'user', content: 'Which port does the app use?' } },
  initial: 'beginning',
  states: {
    beginning: { invoke: { src: 'keep', input: ({ context }) => context.message, onDone: 'asking' } },
    asking: {
      invoke: {
        src: 'ask',
        input: ({ context }) => context.turn,
        onDone: { target: 'saying', actions: 'takeMessage' },
        onError: 'busy',
      },
    },
    busy: { after: { 200: 'asking' } },
    saying: {
      invoke: {
        src: 'keep',
        input: ({ context }) => context.message,
        onDone: [{ guard: 'isCall', target: 'running' }, { target: 'answered' }],
      },
    },
    running: {
      invoke: {
        src: 'run',
        input: ({ context }) => context.message.toolCalls[0],
        onDone: { target: 'hearing', actions: 'takeMessage' },
      },
    },
    hearing: {
      invoke: {
        src: 'keep',
        input: ({ context }) => context.message,
        onDone: { target: 'asking', actions: 'countTurn' },
      },
    },
    answered: { type: 'final' },
  },
  output: ({ context }) => context.message.content,
});

// How: a model that follows a script, two tools, and a session that remembers.
const store = await openStore(folder);
const session = await store.open('agent', { window: 8_192 });
const tools = { list_files: 'app.mjs', read_file: 'app.listen(8123);' };
let asked = 0;
const ports = {
  async ask(turn) {
    const { messages } = await session.assemble();
    await sleep(pace);
    if ((asked += 1) === 2) throw Object.assign(new Error('Busy'), { code: 'MODEL_BUSY' });
    const name = Object.keys(tools)[turn];
    print(`${messages.length} messages → ${name ?? 'an answer'}`);
    if (name === undefined) return { role: 'assistant', content: 'It listens on port 8123.' };
    const toolCalls = [{ id: `call-${turn}`, name, arguments: {} }];
    return { role: 'assistant', content: `I use ${name}.`, toolCalls };
  },
  async run({ id, name }, { signal }) {
    await sleep(pace, undefined, { signal });
    print(`${name} → ${tools[name]}`);
    return { role: 'tool', toolCallId: id, name, content: tools[name] };
  },
  // The key is that of this call: made again after a crash, it appends nothing twice.
  keep: (message, { key }) => session.append(message, { key }),
};

const machine = await durable(agent, { host: store, id: 'agent', ports });
if (machine.state.seq > 1) print(`It goes on from step ${machine.state.seq}: ${machine.state.value}`);
const over = (error) => ({ stopped: error.code });
print(JSON.stringify(await machine.done.catch(over)));
print(`${session.state.entries} messages in the session`);
await machine.close();
await store.close();
