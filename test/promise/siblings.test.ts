import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import {
  isEngineError,
  openStore,
  type Assembly,
  type FrameNode,
  type Message,
  type Session,
} from '../../src/index.ts';

// What was said in a frame is seen there, and behind partial results in the frames
// below it. Every other frame knows it by its results alone: not a name of it, nor
// a line. So each entry that is not a person's gets a name of its own, which nobody
// says again, and no assembly may hold one from a frame off its path.

/** A name that only one entry of a frame says, as an identifier, a path and a number. */
const secret = (frame: string, n: number): string => `zq${frame}x${n}q`;

const secrets = /zq(f\d+)x\d+q/g;

/** Prose of some length around a name, with what a summary or a chronicle would take. */
function told(name: string, lines: number): string {
  const line = (n: number): string =>
    `I decided to keep ${name} in src/${name}/file${n}.ts because \`${name}()\` failed: Error ${name} at line ${n}.`;
  return Array.from({ length: lines }, (_, n) => line(n)).join('\n');
}

function messagesOf(name: string, kind: Kind, lines: number): readonly Message[] {
  const content = told(name, lines);
  if (kind === 'answer') return [{ role: 'assistant', content }];
  if (kind === 'machine') return [{ role: 'user', content, origin: 'machine' }];
  const id = `call-${name}`;
  const change = { path: `src/${name}.ts`, old_string: 'a', new_string: content };
  return [
    { role: 'assistant', content: '', toolCalls: [{ id, name: 'edit', arguments: change }] },
    { role: 'tool', toolCallId: id, content, isError: lines % 2 === 0 },
  ];
}

type Kind = 'answer' | 'machine' | 'edit';

type Play = (session: Session, n: number) => Promise<unknown>;

const activeIn = (node: FrameNode): readonly FrameNode[] | null => {
  if (node.active) return [node];
  for (const child of node.children) {
    const below = activeIn(child);
    if (below !== null) return [node, ...below];
  }
  return null;
};

const childNamed =
  (at: number, act: (session: Session, id: string) => Promise<unknown>): Play =>
  async (session) => {
    const { children } = activeIn(session.frames.tree())!.at(-1)!;
    if (children.length > 0) await act(session, children[at % children.length]!.id);
  };

const append =
  (kind: Kind, lines: number): Play =>
  (session, n) =>
    session.append(messagesOf(secret(session.state.active, n), kind, lines));

/** All that is known of a frame elsewhere: told without a name. */
const results = { results: 'It is done and tested.', artifacts: [], decisions: [] };

const pop =
  (status: 'completed' | 'failed' | 'blocked'): Play =>
  (session) =>
    session.state.active === 'f0'
      ? Promise.resolve()
      : session.pop({ status, drop: true, ...results });

const index = fc.nat(5);
const play: fc.Arbitrary<Play> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom<Kind>('answer', 'machine', 'edit'), fc.integer({ min: 1, max: 30 }))
      .map(([kind, lines]) => append(kind, lines)),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Play>((session) =>
      session.append({ role: 'user', content: 'Go on, and never use an ORM.' }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constant<Play>((session) =>
      session.push({ title: 'A part', criteria: 'Works.' }),
    ),
  },
  { weight: 4, arbitrary: fc.constantFrom('completed', 'failed', 'blocked').map(pop) },
  { weight: 2, arbitrary: index.map((at) => childNamed(at, (s, id) => s.frames.start(id))) },
  { weight: 1, arbitrary: index.map((at) => childNamed(at, (s, id) => s.frames.retry(id))) },
  {
    weight: 1,
    arbitrary: index.map((at) => childNamed(at, (s, id) => s.frames.invalidate(id, 'Not needed.'))),
  },
  { weight: 1, arbitrary: fc.constant<Play>((session) => session.compress()) },
  { weight: 1, arbitrary: fc.constant<Play>((session) => session.undo()) },
);

/** The names in an assembly that come from frames off the path, with the sections that say them. */
function leaksIn(session: Session, { messages }: Assembly): readonly string[] {
  const path = new Set(activeIn(session.frames.tree())!.map(({ id }) => id));
  return messages.flatMap((message) =>
    [...JSON.stringify(message).matchAll(secrets)]
      .filter(([, frame]) => !path.has(frame as never))
      .map(([name]) => `${message.section}: ${name}`),
  );
}

test('what was said in a frame is seen in no other but those below it', async () => {
  const store = await openStore(':memory:');
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(play, { minLength: 10, maxLength: 50, size: 'max' }),
      fc.constantFrom(3_000, 8_000, 64_000),
      async (plays, window) => {
        runs += 1;
        const session = await store.open(`s${runs}`, { window, title: 'Session' });
        for (const [n, act] of plays.entries()) {
          await act(session, n).catch((error: unknown) => {
            if (!isEngineError(error)) throw error;
          });
          expect(leaksIn(session, await session.assemble())).toEqual([]);
        }
      },
    ),
    { numRuns: draws(40) },
  );
});
