import fc from 'fast-check';
import { isEngineError, type Message, type Session } from '../../src/index.ts';

// What somebody may do to a session, as plain values, so that a failing script
// prints as it was. Frames and calls are chosen by number among those there
// are; a choice that the engine refuses is part of the script.

/** One thing done to a session. */
export type Step =
  | { readonly do: 'append'; readonly said: readonly Said[]; readonly key?: string }
  | { readonly do: 'push' | 'plan'; readonly words: number }
  | { readonly do: 'pop'; readonly how: 'completed' | 'failed' | 'blocked'; readonly told: boolean }
  | { readonly do: 'drop' }
  | { readonly do: 'start' | 'edit' | 'invalidate' | 'retry' | 'close'; readonly frame: number }
  | { readonly do: 'goal'; readonly words: number }
  | { readonly do: 'patch' | 'pause' }
  | { readonly do: 'compress' }
  | { readonly do: 'undo' | 'redo' | 'snapshot' }
  | { readonly do: 'restore'; readonly back: number }
  | { readonly do: 'configure'; readonly window: number }
  | { readonly do: 'assemble'; readonly tools: number };

/** One message, by who says it and how long it is. */
export type Said =
  | { readonly who: 'person' | 'machine' | 'model' | 'marker'; readonly words: number }
  | { readonly who: 'call'; readonly names: readonly string[]; readonly words: number }
  | { readonly who: 'result'; readonly name: string; readonly words: number };

const length = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 3, arbitrary: fc.integer({ min: 60, max: 220 }) },
  { weight: 1, arbitrary: fc.integer({ min: 300, max: 1_500 }) },
);
const tool = fc.constantFrom('bash', 'read', 'edit');

const said: fc.Arbitrary<Said> = fc.oneof(
  fc.record({
    who: fc.constantFrom('person', 'machine', 'model', 'model', 'marker'),
    words: length,
  }),
  fc.record({
    who: fc.constant('call' as const),
    names: fc.array(tool, { minLength: 1, maxLength: 3 }),
    words: length,
  }),
  fc.record({ who: fc.constant('result' as const), name: tool, words: length }),
) as fc.Arbitrary<Said>;

/** A step of a session, most of them appends. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      said: fc.array(said, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('push', 'plan'), words: fc.nat({ max: 40 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pop' as const),
      how: fc.constantFrom('completed', 'failed', 'blocked'),
      told: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('start', 'edit', 'invalidate', 'retry', 'close'),
      frame: fc.nat({ max: 9 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('goal' as const), words: fc.nat({ max: 90 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('patch', 'pause', 'compress', 'drop') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('undo', 'undo', 'redo', 'snapshot') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('restore' as const), back: fc.nat({ max: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('configure' as const),
      window: fc.constantFrom(1_000, 1_500, 2_500, 4_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('assemble' as const), tools: fc.nat({ max: 2 }) }),
  },
) as fc.Arbitrary<Step>;

/** Some steps in a row. */
export const script = (most: number, least = 1): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: least, maxLength: most, size: 'max' });

/** Text of so many words, with names in it; the same `at` gives the same. */
function wordsOf(count: number, at: number): string {
  const words: string[] = [];
  for (let n = 0; n < count; n += 1)
    words.push(n % 9 === 4 ? `src/part${(at + n) % 23}.ts` : `w${(at * 7 + n * n) % 191}`);
  return words.join(' ');
}

/** The message of one line; `at` makes it differ from others. */
export function messageOf(line: Said, at: number): Message {
  const text = wordsOf(line.words, at);
  switch (line.who) {
    case 'person':
      return { role: 'user', content: at % 5 === 0 ? `Never touch w${at}. ${text}` : text };
    case 'machine':
      return { role: 'user', origin: 'machine', content: text };
    case 'model':
      return { role: 'assistant', content: text, thinking: 'hm' };
    case 'marker':
      return { role: 'assistant', content: `[GOAL] Finish part ${at % 3}\n[NEXT] ${text}` };
    case 'call':
      return {
        role: 'assistant',
        content: '',
        toolCalls: line.names.map((name) => ({
          name,
          arguments: { path: `src/part${at}.ts`, text },
        })),
      };
    case 'result':
      return { role: 'tool', name: line.name, content: text };
  }
}

/** Does a step; says the code of the engine's refusal, or `ok`. Anything else is thrown on. */
export async function act(session: Session, given: Step, at: number): Promise<string> {
  try {
    await attempt(session, given, at);
    return 'ok';
  } catch (error) {
    if (isEngineError(error)) return error.code;
    throw error;
  }
}

async function attempt(session: Session, given: Step, at: number): Promise<unknown> {
  switch (given.do) {
    case 'append': {
      const messages = given.said.map((line, index) => messageOf(line, at * 10 + index));
      return session.append(messages, given.key === undefined ? {} : { key: given.key });
    }
    case 'push':
      return session.push({ title: `Part ${at}`, criteria: wordsOf(given.words, at) });
    case 'plan':
      return session.frames.plan({ title: `Plan ${at}`, criteria: wordsOf(given.words, at) });
    case 'pop':
      if (session.state.active === 'f0' && !endsSession(given)) return undefined;
      return session.pop({
        status: given.how,
        ...(given.told ? { results: wordsOf(20, at) } : {}),
      });
    case 'drop':
      return session.state.active === 'f0'
        ? undefined
        : session.pop({ status: 'failed', drop: true });
    case 'start':
      return session.frames.start(frameAt(session, given.frame));
    case 'edit':
      return session.frames.edit(frameAt(session, given.frame), { criteria: wordsOf(9, at) });
    case 'invalidate':
      return session.frames.invalidate(frameAt(session, given.frame), 'changed our mind');
    case 'retry':
      return session.frames.retry(frameAt(session, given.frame));
    case 'close': {
      const frame = frameAt(session, given.frame);
      return frame === 'f0' ? undefined : session.pop({ frame, status: 'failed', drop: true });
    }
    case 'goal':
      return session.goal.set(wordsOf(given.words, at));
    case 'patch':
      return session.goal.update({ next: [wordsOf(5, at)] });
    case 'pause':
      return session.goal.pause();
    case 'undo':
      return session.undo();
    case 'redo':
      return session.redo();
    case 'snapshot':
      return session.snapshots.create();
    case 'restore':
      return session.snapshots.restore(session.snapshots.list().at(-1 - given.back)?.id ?? '');
    case 'compress':
      return session.compress({ focus: 'names' });
    case 'configure':
      return session.configure({ window: given.window });
    case 'assemble':
      return session.assemble({ tools: toolsOf(given.tools) });
  }
}

/** Whether a step completes the session where the root is active; most pops do nothing then. */
export function endsSession(given: Step): boolean {
  return given.do === 'pop' && given.how === 'completed' && given.told;
}

/** So many tool schemas. */
function toolsOf(count: number): readonly object[] {
  return Array.from({ length: count }, (_, n) => ({ name: `tool${n}`, about: wordsOf(20, n) }));
}

/** One of the newest frames, counted back from the last. */
function frameAt(session: Session, back: number): string {
  const all: string[] = [];
  const visit = (node: ReturnType<Session['frames']['tree']>): void => {
    all.push(node.id);
    node.children.forEach(visit);
  };
  visit(session.frames.tree());
  all.sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  return all[Math.max(0, all.length - 1 - back)]!;
}
