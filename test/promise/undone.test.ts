import fc from 'fast-check';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import type { Assembly, Message, Session, Store } from '../../src/index.ts';
import { make, refusalOf, say, type Move } from '../../src/testing/laws/move.ts';
import { machine, model, person, prose } from '../../src/testing/made-text.ts';
import { newDisk } from '../engine/disk.ts';
import { command as move } from '../../src/testing/fast-check/commands.ts';

// A step that is taken back is held against a session in which it never
// happened, and what is said meanwhile is said in both.

type Made = Exclude<Move, { type: 'reopen' | 'tools' | 'answer' | 'configure' }>;
type Kind = 'compression' | 'push' | 'pop' | 'invalidate' | 'goal' | 'restore';

const runs = Math.max(6, draws(60));

const isMade = (one: Move): one is Made =>
  !['reopen', 'tools', 'answer', 'configure'].includes(one.type);
const talk: fc.Arbitrary<Made> = fc
  .tuple(fc.integer({ min: 5, max: 90 }), fc.nat(1_000))
  .map(([tokens, n]) => say(person(`Do part ${n}`), model(prose(tokens, n))) as Made);
const before = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: talk },
    { weight: 4, arbitrary: move.filter(isMade) },
    { weight: 1, arbitrary: fc.constant({ type: 'snapshot' } as const) },
    { weight: 1, arbitrary: fc.constant({ type: 'push', title: 'Part' } as const) },
    { weight: 1, arbitrary: fc.constant({ type: 'plan', title: 'Later' } as const) },
  ),
  { minLength: 4, maxLength: 25, size: 'max' },
);
const title = fc.constantFrom('Parser', 'Printer');
const steps: Readonly<Record<Kind, fc.Arbitrary<Made>>> = {
  compression: fc.constant({ type: 'compress' }),
  push: title.map((title): Made => ({ type: 'push', title })),
  pop: fc
    .constantFrom('completed' as const, 'failed' as const, 'blocked' as const)
    .map((status): Made => ({ type: 'pop', status, drop: true, results: 'It works' })),
  invalidate: fc.constant({ type: 'invalidate', frame: 'last', reason: 'no' }),
  goal: fc.nat(99).map((n): Made => ({ type: 'goal', description: `Ship part ${n}` })),
  restore: fc
    .tuple(fc.nat(3), fc.boolean())
    .map(([back, keep]): Made => ({ type: 'restore', back, keep })),
};
const plainSteps: Readonly<Record<Kind, Made>> = {
  compression: { type: 'compress' },
  push: { type: 'push', title: 'Parser' },
  pop: { type: 'pop', status: 'completed', drop: true, results: 'It works' },
  invalidate: { type: 'invalidate', frame: 'last', reason: 'no' },
  goal: { type: 'goal', description: 'Ship it' },
  restore: { type: 'restore', back: 0 },
};
/** What there must be before a step of some kinds. */
const needs: Readonly<Partial<Record<Kind, Made>>> = {
  compression: say(
    ...[1, 2, 3, 4].flatMap((n) => [person(`Go on ${n}`), model(prose(90, n))]),
  ) as Made,
  pop: { type: 'push', title: 'Part' },
  invalidate: { type: 'plan', title: 'Later', as: 'last' },
  restore: { type: 'snapshot' },
};
const step = fc
  .constantFrom(...(Object.keys(steps) as Kind[]))
  .chain((kind) => steps[kind].map((made) => ({ kind, made })));
/** A step of each kind in a plain session, so that each is proved whatever the others meet. */
const plain = (Object.keys(steps) as Kind[]).map((kind) => ({
  moves: [1, 2, 3, 4, 5, 6].map((n) => say(person(`Do part ${n}`), model(prose(90, n))) as Made),
  step: { kind, made: plainSteps[kind] },
  since: [] as Message[],
  window: 2_000 as const,
  reopened: [false, false] as [boolean, boolean],
}));
const said: fc.Arbitrary<Message> = fc
  .tuple(fc.constantFrom(person, model, machine), fc.nat(1_000))
  .map(([from, n]) => from(prose(12, n)));

/** What a step of each kind comes with. */
const does: ReadonlySet<string> = new Set([
  'compression.finished',
  'frame.pushed',
  'frame.popped',
  'frame.invalidated',
  'goal.set',
  'state.restored',
]);

const isPerson = (message: Message): boolean =>
  message.role === 'user' && message.origin !== 'machine';
const seen = ({ messages }: Assembly): string => JSON.stringify(messages);

/** A session on a disk, which can be closed and opened again. */
async function sessionOn(
  window: number,
  trigger = 0.95,
): Promise<{
  session: Session;
  reopen(isWanted: boolean): Promise<void>;
  close(): Promise<void>;
}> {
  const disk = await newDisk();
  const clock = new SimulatedClock();
  let store: Store = await openOver(disk.mount(), { clock });
  const opened = {
    session: await store.open('s', { window, reserve: 0, trigger }),
    async reopen(isWanted: boolean) {
      if (!isWanted) return;
      await store.close();
      store = await openOver(disk.mount(), { clock });
      opened.session = await store.open('s');
    },
    close: () => store.close(),
  };
  return opened;
}

/** Makes the moves, with what a step of `kind` needs before the last; gives the frames by name. */
async function play(
  session: Session,
  moves: readonly Made[],
  kind: Kind,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const needed = needs[kind] === undefined ? [] : [needs[kind]];
  for (const one of [...moves.slice(0, -1), ...needed, ...moves.slice(-1)])
    await refusalOf(make(session, one, names));
  return names;
}

async function logOf(session: Session): Promise<readonly string[]> {
  const log: string[] = [];
  for await (const { id, frame, content } of session.log())
    log.push(JSON.stringify([id, frame, content]));
  return log;
}

/** Entries of the working part that stand word for word, but for those that came after `last`. */
const wordForWord = ({ messages }: Assembly, last: number): readonly unknown[] =>
  messages.filter(
    ({ section, entry }) => section === 'working' && Number(entry?.slice(1) ?? 0) <= last,
  );

test('what is taken back never happened, but for what was said; taken again, it is as it was', async () => {
  const proved = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        moves: before,
        step,
        since: fc.array(said, { maxLength: 3 }),
        window: fc.constantFrom(2_000, 3_000, 8_000),
        reopened: fc.tuple(fc.boolean(), fc.boolean()),
      }),
      async ({ moves, step: { kind, made }, since, window, reopened: [early, late] }) => {
        const one = await sessionOn(window);
        const other = await sessionOn(window);
        try {
          const names = await play(one.session, moves, kind);
          await play(other.session, moves, kind);
          if ((await refusalOf(one.session.assemble())) !== null) return;
          const then = await one.session.assemble();
          const { active, entries, epoch } = (await other.session.assemble(), other.session.state);
          let isStep = false;
          const off = one.session.on('*', ({ type }) => (isStep ||= does.has(type)));
          const code = await refusalOf(make(one.session, made, names));
          off();
          if (code !== null || !isStep) return;
          if (one.session.state.undo !== kind || one.session.state.entries !== entries) return;
          await one.reopen(early);
          const { compressions, active: inside } = one.session.state;
          const frames = new Set<string>();
          for (const message of since) {
            if ((await refusalOf(one.session.append(message))) !== null) return;
            await other.session.append(message);
            frames.add(inside);
          }
          const isQuiet = one.session.state.compressions === compressions;
          if (!isQuiet || one.session.state.undo !== kind) return;
          const done = await one.session.assemble();
          const log = await logOf(one.session);
          await one.reopen(late);
          if ((await refusalOf(one.session.undo())) === 'CONTEXT_OVERFLOW') return;
          const undone = await one.session.assemble();
          const { goal } = other.session.state;
          expect(one.session.state).toMatchObject({ active, goal, redo: kind });
          expect(await logOf(one.session)).toEqual(log);
          const isMeanwhile = since.length > 0;
          if (inside === active || !isMeanwhile) {
            const never = await other.session.assemble();
            expect(one.session.frames.tree()).toEqual(other.session.frames.tree());
            if (other.session.state.epoch === epoch) expect(seen(undone)).toBe(seen(never));
            if (other.session.state.epoch === epoch) proved.set(kind, (proved.get(kind) ?? 0) + 1);
          } else {
            // What a person said may take less room once something was said after it.
            const isAsked = then.messages.some(
              ({ entry, role }) => entry === `e${entries}` && role === 'user',
            );
            const last = isAsked ? entries - 1 : entries;
            if (undone.budget.checkpoints === then.budget.checkpoints)
              expect(wordForWord(undone, last)).toEqual(wordForWord(then, last));
            for (const [n, message] of since.entries())
              if (!isPerson(message))
                expect(one.session.where(`e${entries + 1 + n}`).place).not.toBe('verbatim');
            proved.set(`${kind} elsewhere`, (proved.get(`${kind} elsewhere`) ?? 0) + 1);
          }
          await one.reopen(early);
          await one.session.redo();
          expect(seen(await one.session.assemble())).toBe(seen(done));
          expect(await logOf(one.session)).toEqual(log);
        } finally {
          await one.close();
          await other.close();
        }
      },
    ),
    { numRuns: runs, examples: plain.map((one): [typeof one] => [one]) },
  );
  const times = (kind: string): number => proved.get(kind) ?? 0;
  for (const kind of Object.keys(steps))
    expect(times(kind) + times(`${kind} elsewhere`), kind).toBeGreaterThan(0);
});

/** Steps that decide nothing, each with what it may add to the assembly, in tokens. */
const harmless: Readonly<Record<string, (session: Session, n: number) => Promise<unknown>>> = {
  append: (session, n) => session.append(model(prose(20, n))),
  ask: (session, n) => session.append(person(`And part ${n}?`)),
  assemble: (session) => session.assemble(),
  document: (session) => session.document(),
  look: (session) => session.diff({ seq: 1 }),
  remember: (session, n) => session.snapshots.create(`part ${n}`),
  forget: (session) => session.snapshots.delete(session.snapshots.list().at(-1)?.id ?? ''),
  count: async (session) => {
    const { id, budget } = await session.assemble();
    return session.report({ assembly: id, usage: { inputTokens: budget.total } });
  },
  tune: (session) => session.configure({ trigger: 0.5 }),
};

const fourMore: [string, number][] = Array.from({ length: 4 }, () => ['append', 0]);

test('an undone compression stays undone, and can be taken again, while all fits', async () => {
  let held = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        window: fc.constantFrom(2_000, 3_000, 8_000),
        trigger: fc.constantFrom(0.5, 0.8, 0.98),
        steps: fc.array(fc.tuple(fc.constantFrom(...Object.keys(harmless)), fc.nat(500)), {
          maxLength: 12,
        }),
        reopened: fc.nat(11),
      }),
      async ({ window, trigger, steps, reopened }) => {
        const one = await sessionOn(window, trigger);
        try {
          for (let n = 0; one.session.state.compressions < 1 + (steps.length % 3); n += 1)
            await one.session.append([person(`Do part ${n}`), model(prose(60 + (n % 5) * 9, n))]);
          if ((await refusalOf(one.session.undo())) === 'CONTEXT_OVERFLOW') return;
          const { compressions, entries } = one.session.state;
          const place = one.session.where(`e${entries}`).place;
          for (const [at, [name, n]] of steps.entries()) {
            await one.reopen(at === reopened);
            const { budget } = one.session.state;
            if (budget.total + 60 > budget.limit) return;
            await refusalOf(harmless[name]!(one.session, n));
            held += 1;
            expect([name, one.session.state.compressions]).toEqual([name, compressions]);
            expect([name, one.session.state.redo]).toEqual([name, 'compression']);
          }
          expect(one.session.where(`e${entries}`).place).toBe(place);
          await one.session.redo();
          expect(one.session.state.checkpoints.length).toBeGreaterThan(0);
        } finally {
          await one.close();
        }
      },
    ),
    // Below its trigger once taken back, since the sections are laid out anew.
    {
      numRuns: 3 * runs,
      examples: [[{ window: 2_000, trigger: 0.95, steps: fourMore, reopened: 0 }]],
    },
  );
  expect(held).toBeGreaterThan(runs);
});
