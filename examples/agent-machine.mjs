// An agent as a state machine, with its session as an actor in it: node examples/agent-machine.mjs
import { openStore, sessionLogic } from 'flamestack';
import { assign, createActor, fromPromise, sendTo, setup, toPromise } from 'xstate';

const store = await openStore(':memory:'); // the name of a folder keeps it

/** Put the call of your model here: it gets messages that fit, and gives what is said. */
const model = fromPromise(async ({ input: { messages } }) => ({
  role: 'assistant',
  content: `I have read ${messages.length} messages.`,
}));

const agent = setup({
  actors: { session: sessionLogic({ store }), model },
  actions: {
    ask: sendTo('session', (_, [method, ...given]) => ({
      type: `session.${method}`,
      arguments: given,
    })),
    keepPrompt: assign({ assembly: ({ event }) => event.output }),
    countCompression: assign({ compressions: ({ context }) => context.compressions + 1 }),
  },
}).createMachine({
  id: 'agent',
  context: ({ input }) => ({ todo: input.todo, assembly: null, compressions: 0 }),
  invoke: {
    id: 'session',
    src: 'session',
    input: { id: 'notes-app', options: { window: 2_048, system: 'You are a careful engineer.' } },
    onDone: '.finished', // the root was closed
  },
  on: {
    'checkpoint.created': { actions: 'countCompression' }, // any fact of the session is an event
    'session.failed.*': '.failed', // and so is a method that was refused
  },
  initial: 'listening',
  states: {
    listening: {
      always: [
        { guard: ({ context }) => context.todo.length > 0, target: 'hearing' },
        { target: 'leaving' },
      ],
    },
    hearing: {
      entry: [
        {
          type: 'ask',
          params: ({ context }) => ['append', { role: 'user', content: context.todo[0] }],
        },
        { type: 'ask', params: ['assemble'] },
        assign({ todo: ({ context }) => context.todo.slice(1) }),
      ],
      on: { 'session.done.assemble': { target: 'thinking', actions: 'keepPrompt' } },
    },
    thinking: {
      invoke: {
        src: 'model',
        input: ({ context }) => context.assembly,
        onDone: {
          target: 'listening',
          actions: {
            type: 'ask',
            params: ({ context, event }) => [
              'append',
              event.output,
              { assembly: context.assembly.id },
            ],
          },
        },
        onError: 'failed',
      },
    },
    leaving: {
      entry: { type: 'ask', params: ['pop', { status: 'completed', results: 'All was said.' }] },
    },
    finished: { type: 'final' },
    failed: { type: 'final' },
  },
  output: ({ context }) => context.compressions,
});

const todo = Array.from({ length: 80 }, (_, n) => `Note ${n}: the user wants ${n} tests of notes.`);
const actor = createActor(agent, { input: { todo } }).start();
const compressions = await toPromise(actor);
console.log(actor.getSnapshot().value, 'after', compressions, 'compression'); // → finished after 1 compression
await store.close();
