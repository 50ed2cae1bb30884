import { toolSpecs } from '../../index.ts';

/** A tool of the memory server, as a model is told of it. */
interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What it answers beside a text. */
  readonly output: Readonly<Record<string, unknown>>;
  /** Whether it changes nothing. */
  readonly reads: boolean;
}

const session = {
  type: 'string',
  description: 'Another session of this project, by its id or the beginning of it',
} as const;

/** What every tool answers, with what else one does. */
const output = (more: Readonly<Record<string, object>> = {}, required: readonly string[] = []) => ({
  type: 'object',
  properties: {
    session: { type: ['string', 'null'], description: 'Its id; null where nothing is recorded' },
    frame: { type: ['string', 'null'], description: 'The active frame, after the call' },
    text: { type: 'string' },
    ...more,
  },
  required: ['session', 'frame', 'text', ...required],
});

const text = { type: 'string' } as const;

/** Entries of other sessions, where these were looked through. */
const elsewhere = {
  type: 'array',
  items: {
    type: 'object',
    properties: { session: text, entry: text, role: text, text },
    required: ['session', 'entry', 'role', 'text'],
  },
} as const;

const own: readonly ServedTool[] = [
  {
    name: 'recovery',
    description: 'Say where the work stands: what was asked, done, decided, and what came last.',
    parameters: { type: 'object', properties: { session }, additionalProperties: false },
    output: output(),
    reads: true,
  },
  {
    name: 'checkpoint',
    description:
      'Note where the work stands, in your words, for whoever goes on: done, decided and why, what failed, what is next.',
    parameters: {
      type: 'object',
      properties: { text: { type: 'string', minLength: 1 } },
      required: ['text'],
      additionalProperties: false,
    },
    output: output({ entry: text }, ['entry']),
    reads: false,
  },
];

/** The session's own tools, and those by which an agent begins and leaves off. */
export function toolSchemas(): readonly ServedTool[] {
  const tools = toolSpecs.map(({ name, description, parameters }): ServedTool => {
    const reads = name === 'recall' || name === 'frame_status';
    const properties = reads ? { ...parameters.properties, session } : parameters.properties;
    const answers = output(name === 'recall' ? { elsewhere } : {});
    return { name, description, parameters: { ...parameters, properties }, output: answers, reads };
  });
  return [...tools, ...own];
}
