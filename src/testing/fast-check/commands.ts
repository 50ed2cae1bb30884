import fc from 'fast-check';
import type { Message } from '../../core/messages/message.ts';
import type { ErrorCode } from '../../core/values/error.ts';
import type { SessionOptions } from '../../engine/commands/configure.ts';
import { say, type Move } from '../laws/move.ts';
import { lines, machine, model, oddTexts, person, prose } from '../made-text.ts';
import { codePoint } from './code-point.ts';

// Arbitrary sessions. Ids of calls and frames come from small pools, so that
// they meet again: answered twice, late, by another frame, or never made.

/** Refusals that an arbitrary command may meet. */
export const refusals: readonly ErrorCode[] = [
  'FRAME_CHILDREN_LEFT',
  'FRAME_CLOSED',
  'FRAME_FROZEN',
  'FRAME_NOT_FOUND',
  'FRAME_STATUS',
  'ENTRY_NOT_FOUND',
  'GOAL_MISSING',
  'GOAL_TOO_LARGE',
  'SESSION_COMPLETED',
];

const seed = fc.nat(1_000);
const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 4, arbitrary: fc.integer({ min: 60, max: 500 }) },
  { weight: 1, arbitrary: fc.integer({ min: 500, max: 6_000 }) },
);
/** A file of a folder that others of the session lie in, too, as in most real ones. */
const path = fc.nat(9).map((n) => `/home/dev/shop/src/part${n}.ts`);
const code = fc
  .tuple(fc.nat(9), fc.integer({ min: 1, max: 200 }))
  .map(
    ([n, times]) =>
      `export function part${n}(one: string): number {\n  return ${n};\n}\n// ${'word '.repeat(times)}`,
  );
const text = fc.oneof(
  { weight: 1, arbitrary: code },
  { weight: 4, arbitrary: fc.tuple(size, seed).map(([tokens, n]) => prose(tokens, n)) },
  { weight: 2, arbitrary: fc.tuple(size, seed).map(([tokens, n]) => lines(tokens, n)) },
  { weight: 2, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('a', ' ', '"', '\\', '\n', '👩‍👩‍👧')
      .chain((unit) => fc.integer({ min: 1, max: 1_500 }).map((times) => unit.repeat(times))),
  },
);
const callId = fc.constantFrom('c1', 'c2', 'c3', 'c4');
const tool = fc.constantFrom('bash', 'read');
const file = fc.constant({ type: 'file', mediaType: 'image/png', data: 'AAAA' } as const);
const content = fc.oneof(
  { weight: 12, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.oneof(
        text.map((text) => ({ type: 'text', text }) as const),
        file,
      ),
      {
        maxLength: 3,
      },
    ),
  },
);
const target = fc.oneof(
  path.map((path) => ({ path })),
  fc.dictionary(
    fc.constantFrom('path', 'content', '__proto__', ''),
    fc.oneof(text, fc.jsonValue()),
    {
      maxKeys: 3,
      noNullPrototype: true,
    },
  ),
  text,
  text.map((text) => JSON.stringify({ text })),
);
const toolCall = fc.record(
  { id: callId, name: tool, arguments: target },
  { requiredKeys: ['name', 'arguments'] },
);

const provider = fc.record({
  name: fc.constantFrom('anthropic', 'ai-sdk'),
  raw: fc.oneof(
    fc.jsonValue(),
    text.map((thinking) => [{ type: 'thinking', thinking }]),
  ),
});

/** A message: of a person, a machine, a model with calls and files, a tool; odd texts and giants among them. */
export const message: fc.Arbitrary<Message> = fc.oneof(
  { weight: 3, arbitrary: content.map((content): Message => ({ role: 'user', content })) },
  { weight: 1, arbitrary: text.map(machine) },
  { weight: 3, arbitrary: text.map((text) => model(text)) },
  {
    weight: 5,
    arbitrary: fc
      .record(
        {
          content,
          toolCalls: fc.array(toolCall, { maxLength: 4 }),
          thinking: text,
          meta: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2, noNullPrototype: true }),
          model: fc.record({ name: fc.constantFrom('one', 'two') }),
          provider,
        },
        { requiredKeys: ['content', 'toolCalls'] },
      )
      .map((rest): Message => ({ role: 'assistant', ...rest })),
  },
  {
    weight: 9,
    arbitrary: fc
      .record(
        { toolCallId: callId, name: tool, content, isError: fc.boolean(), provider },
        { requiredKeys: ['content'] },
      )
      .map((rest): Message => ({ role: 'tool', ...rest })),
  },
);
const frame = fc.nat(9).map((n) => `f${n}`);
const title = fc.constantFrom('Parser', 'Build & <test>', 'A "quoted" one', '修理', 'x');
const status = fc.constantFrom('completed', 'failed', 'blocked');
const list = fc.array(text, { maxLength: 4 });

const frameMove: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ type: fc.constant('push' as const), title, criteria: text }),
  fc.record({ type: fc.constant('plan' as const), title }),
  fc.record({ type: fc.constant('plan' as const), title, parent: frame }),
  fc.record({ type: fc.constant('start' as const), frame }),
  fc.record({ type: fc.constant('edit' as const), frame, title }),
  fc.record({ type: fc.constant('invalidate' as const), frame, reason: text }),
  fc.record({ type: fc.constant('retry' as const), frame }),
  fc.record(
    {
      type: fc.constant('pop' as const),
      status,
      drop: fc.boolean(),
      results: text,
      decisions: list,
      artifacts: list,
      frame,
    },
    { requiredKeys: ['type', 'status', 'drop'] },
  ),
);
const goalMove: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    type: fc.constant('goal' as const),
    description: fc.oneof(text, fc.constant('Ship it')).filter((goal) => goal.trim() !== ''),
  }),
  fc.record({
    type: fc.constant('goal.update' as const),
    patch: fc.record({
      next: list,
      decisions: fc.array(fc.record({ text, locked: fc.boolean() }), { maxLength: 12 }),
    }),
  }),
  fc.record({
    type: fc.constant('goal.status' as const),
    status: fc.constantFrom('pause', 'resume', 'complete'),
  }),
);
const options = fc.record(
  {
    window: fc.integer({ min: 2_000, max: 9_000 }),
    trigger: fc.constantFrom(0.4, 0.5, 0.8, 0.98),
    preserveRecent: fc.constantFrom(0, 400, 100_000),
    summaryTokens: fc.constantFrom(40, 120, 5_000),
    strategy: fc.constantFrom('ladder' as const, 'rollover' as const),
    system: fc.constantFrom('', 'Be brief.', prose(150)),
    model: fc.constant('some-model'),
  },
  { requiredKeys: [] },
);
const sessionMove: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ type: fc.constant('configure' as const), options: options.map(unreserved) }),
  fc.constant({ type: 'reopen' } as const),
  fc.record({ type: fc.constant('reopen' as const), options: options.map(unreserved) }),
  fc.constant({ type: 'compress' } as const),
  fc.nat(200).map((size): Move => ({
    type: 'tools',
    tools: size < 20 ? [] : [{ name: 'read', description: prose(size) }],
  })),
  fc.record({
    type: fc.constant('answer' as const),
    content: text,
    ratio: fc.constantFrom(0.3, 0.85, 1, 1.25),
  }),
);

function unreserved(options: object): object {
  return 'window' in options ? { ...options, reserve: 0 } : options;
}

/** One thing done to a session, most of them appends. */
export const command: fc.Arbitrary<Move> = fc.oneof(
  { weight: 14, arbitrary: message.map((one) => say(one)) },
  { weight: 2, arbitrary: fc.array(message, { maxLength: 4 }).map((all) => say(...all)) },
  { weight: 1, arbitrary: text.map((text) => say(person(`Never ${text}. Always use tabs.`))) },
  { weight: 4, arbitrary: frameMove },
  { weight: 1, arbitrary: goalMove },
  { weight: 2, arbitrary: sessionMove },
  { weight: 1, arbitrary: fc.nat(12).map((back): Move => ({ type: 'redact', back })) },
);

/** A session from its beginning: its options, and what is done to it, in order. */
export interface SessionMade {
  readonly session: SessionOptions;
  readonly commands: readonly Move[];
}

/** A session in a small window, so that much has to leave it; `most` commands, 40 unless told. */
export const session = (most = 40): fc.Arbitrary<SessionMade> =>
  fc.record({
    session: fc.record({
      window: fc.constantFrom(2_000, 2_500, 4_000, 8_000),
      reserve: fc.constant(0),
      system: fc.constantFrom('', 'Be brief.'),
    }),
    commands: fc.array(command, { maxLength: most, size: 'max' }),
  });
