import { say, type Move } from '../../src/testing/laws/move.ts';
import { callMoves } from './torture-calls.ts';
import { deepFrames, frameMoves, manyFrames, oddMoves } from './torture-frames.ts';
import { giantMoves, toolMoves, windowMoves } from './torture-giants.ts';
import { call, lines, machine, model, person, prose, result } from '../../src/testing/made-text.ts';

/** One part of the torture sequence: what real sessions seldom hold, in a window of any size. */
export interface Torture {
  readonly name: string;
  readonly system?: string;
  readonly moves: (limit: number) => readonly Move[];
}

/** The torture sequence; each part is a session of its own. */
export const torture: readonly Torture[] = [
  { name: 'calls', moves: callMoves },
  { name: 'giants', system: 'You are careful.', moves: giantMoves },
  { name: 'frames', system: 'You are careful.', moves: frameMoves },
  { name: 'many frames', moves: () => manyFrames() },
  { name: 'deep frames', moves: () => deepFrames() },
  { name: 'odd characters', system: '\ufeffOdd <system>\u0000\ud800', moves: oddMoves },
  { name: 'files', moves: fileMoves },
  { name: 'windows', moves: windowMoves },
  { name: 'tools', moves: toolMoves },
  { name: 'goals', moves: goalMoves },
  { name: 'equal and empty', moves: equalMoves },
  { name: 'without end', system: 'Go on.', moves: endlessMoves },
];

/** Messages of files, alone and beside text. */
function fileMoves(): readonly Move[] {
  const file = {
    type: 'file',
    mediaType: 'image/png',
    data: 'iVBORw0KGgo=',
    name: 'a.png',
  } as const;
  return Array.from({ length: 6 }, (_, n): readonly Move[] => [
    say({ role: 'user', content: [file] }),
    say({ role: 'user', content: [{ type: 'text', text: prose(50, n) }, file, file] }),
    say({ role: 'user', content: [file], origin: 'machine' }),
    say({ role: 'user', content: [] }),
    say({ role: 'assistant', content: [file], toolCalls: [call(`f${n}`)] }),
    say({
      role: 'tool',
      toolCallId: `f${n}`,
      content: [{ type: 'text', text: lines(200, n) }, file],
    }),
    say(model(prose(100, n))),
    say({ role: 'user', content: Array.from({ length: 40 }, () => file) }),
  ]).flat();
}

/** Goals of every size, with members beyond their cap, while the window fills. */
function goalMoves(limit: number): readonly Move[] {
  const many = Array.from({ length: 120 }, (_, n) => n);
  const fill = (seed: number): readonly Move[] => [
    say(person(prose(limit * 0.18, seed))),
    say(model(prose(limit * 0.2, seed), call(`q${seed}`))),
    say(result(`q${seed}`, lines(limit * 0.2, seed))),
  ];
  return [
    { type: 'goal.update', patch: { next: [] }, refused: 'GOAL_MISSING' },
    { type: 'goal', description: 'Ship it.\n\nWithout a <bug>.' },
    ...fill(0),
    { type: 'goal', description: prose(limit), refused: 'GOAL_TOO_LARGE' },
    {
      type: 'goal.update',
      patch: {
        milestones: many.map((n) => ({
          text: `Milestone ${n}\n- of two lines`,
          status: 'pending',
        })),
        decisions: many.map((n) => ({ text: `Decision ${n}`, locked: n % 2 === 0 })),
        artifacts: many.map((n) => ({ path: `src/${n}.ts`, change: 'created' })),
        next: many.map((n) => `Step ${n}`),
      },
    },
    ...fill(1),
    ...many.map((n) =>
      say(
        model(
          `[CHECKPOINT] Milestone ${n} - completed\n[DECISION] Rule ${n} - locked\n${prose(limit * 0.02, n)}`,
        ),
      ),
    ),
    { type: 'goal', description: 'Another' },
    ...fill(2),
    { type: 'goal.status', status: 'pause' },
    ...fill(3),
    say(model('[GOAL] A third one\n[NEXT] Go')),
    { type: 'goal.status', status: 'complete' },
    ...fill(4),
    say(model(`[GOAL] ${prose(limit, 9)}`)),
    ...fill(5),
  ];
}

/** The same words over and over, and none at all. */
function equalMoves(): readonly Move[] {
  const round: readonly Move[] = [
    say(person('ok')),
    say(model('ok')),
    say(person('')),
    say(model('')),
    say(machine('')),
    say(model('', call('same'))),
    say(result('same', '')),
    say(model('', call('same'))),
    say(result('same', 'ok'.repeat(400))),
    { type: 'compress' },
  ];
  return Array.from({ length: 40 }, () => round).flat();
}

/** Compressions without end: thousands of entries, most of them small, people among them. */
function endlessMoves(limit: number): readonly Move[] {
  const size = limit / 2_000;
  return Array.from({ length: 1_000 }, (_, n): readonly Move[] => {
    const id = `n${n}`;
    const turn = [
      say(model(prose((20 + ((n * 13) % 90)) * size, n), call(id, { path: `src/${n}.ts` }))),
      say(result(id, lines((10 + ((n * 37) % 250)) * size, n))),
    ];
    if (n % 9 === 0) return [say(person(`Always keep rule ${n}, ${prose(20, n)}`)), ...turn];
    return n % 4 === 0 ? [say(machine(`hook ${n}`)), ...turn] : [...turn, say(model(`done ${n}`))];
  }).flat();
}
