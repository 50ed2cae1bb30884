import { say, type Move } from '../../src/testing/laws/move.ts';
import {
  call,
  lines,
  machine,
  model,
  oddTexts,
  person,
  prose,
  result,
} from '../../src/testing/made-text.ts';

/** Frames entered while calls are open; their results come while a child is active, after the frame closed, after the session did. */
export function frameMoves(): readonly Move[] {
  return [
    say(person('Ship the parser. Never skip tests.')),
    say(model('plan', call('root-1'), call('root-2'))),
    { type: 'push', title: 'Child one', criteria: 'Builds. Always green.', as: 'one' },
    say(result('root-1', lines(80))),
    say(person('Use pnpm only, inside the child.')),
    say(model('in child', call('one-1'), call('one-2'))),
    { type: 'push', title: 'Grandchild', as: 'two' },
    say(result('one-2', lines(300))),
    say(result('root-2', lines(300, 1))),
    say(model('deep', call('two-1'))),
    { type: 'pop', status: 'completed' },
    say(result('two-1', 'after it closed')),
    say(result('one-1', lines(100))),
    say(model('back in one', call('one-3'))),
    { type: 'pop', status: 'blocked', results: 'Waits for the key. <b>&amp;</b>' },
    say(result('one-3', 'while it is blocked')),
    { type: 'plan', title: 'Later', as: 'later' },
    { type: 'plan', title: 'Below later', parent: 'later', as: 'below' },
    { type: 'edit', frame: 'later', title: 'Later, edited' },
    { type: 'pop', status: 'completed', refused: 'FRAME_CHILDREN_LEFT' },
    { type: 'start', frame: 'below', refused: 'FRAME_STATUS' },
    { type: 'start', frame: 'one' },
    ...work(1),
    { type: 'pop', status: 'failed', results: 'The key never came.' },
    { type: 'retry', frame: 'one', as: 'three' },
    say(model('retry', call('three-1'))),
    { type: 'push', title: 'Doomed', as: 'doomed' },
    say(person('Remember: use the old endpoint in the doomed frame.')),
    ...work(2),
    say(model('x', call('doomed-1'))),
    { type: 'invalidate', frame: 'three', reason: 'A wrong way <altogether>' },
    say(result('doomed-1', 'after it was invalidated')),
    say(result('three-1', 'after it was invalidated')),
    ...work(3),
    { type: 'start', frame: 'later' },
    say(person('said in the planned frame')),
    { type: 'start', frame: 'below' },
    say(person('said below it')),
    ...work(4),
    { type: 'pop', frame: 'later', status: 'failed', refused: 'FRAME_STATUS' },
    { type: 'pop', status: 'blocked' },
    { type: 'reopen' },
    say(model('one more', call('later-1'))),
    {
      type: 'pop',
      status: 'completed',
      drop: true,
      decisions: ['Use B-trees'],
      artifacts: ['src/b.ts'],
    },
    say(result('later-1', lines(50))),
    { type: 'invalidate', frame: 'f0', reason: 'no', refused: 'FRAME_STATUS' },
    { type: 'pop', status: 'blocked', refused: 'FRAME_STATUS' },
    { type: 'retry', frame: 'later', refused: 'FRAME_STATUS' },
    ...work(5),
    say(model('last', call('end-1'), call('end-2'))),
    { type: 'pop', status: 'completed', results: 'All done.' },
    say(result('end-2', 'after the session')),
    say(result('end-1', lines(500))),
    { ...say(person('anybody there?')), refused: 'SESSION_COMPLETED' },
    { ...say(result('end-1', 'again')), refused: 'SESSION_COMPLETED' },
    { ...say(machine('x')), refused: 'SESSION_COMPLETED' },
    { type: 'push', title: 'No more', refused: 'FRAME_CLOSED' },
  ];
}

function work(seed: number): readonly Move[] {
  return Array.from({ length: 6 }, (_, n) => [
    say(model(prose(120, seed * 10 + n), call(`k${seed}-${n}`))),
    say(result(`k${seed}-${n}`, lines(200, seed * 10 + n))),
  ]).flat();
}

/** Hundreds of small frames beside each other. */
export function manyFrames(count = 300): readonly Move[] {
  return Array.from({ length: count }, (_, n): readonly Move[] => [
    { type: 'push', title: `Step ${n}`, criteria: `Step ${n} is done and tested.`, as: `s${n}` },
    ...(n % 3 === 0 ? [say(person(`Only use option ${n} here.`))] : []),
    say(model(prose(30, n), call(`s${n}`))),
    ...(n % 7 === 0 ? [] : [say(result(`s${n}`, lines(30, n)))]),
    n % 11 === 10
      ? { type: 'invalidate', frame: `s${n}`, reason: `Not ${n}` }
      : { type: 'pop', status: n % 5 === 4 ? 'failed' : 'completed' },
  ]).flat();
}

/** Frames within frames, with work at every level on the way down and up. */
export function deepFrames(levels = 60): readonly Move[] {
  const down = Array.from({ length: levels }, (_, n): readonly Move[] => [
    say(person(`Level ${n}: never go back to ${n + 100}.`)),
    say(model(prose(60, n), call(`d${n}`))),
    { type: 'push', title: `Level ${n}`, criteria: prose(30, n) },
    say(result(`d${n}`, lines(60, n))),
    { type: 'push', title: `Side ${n}` },
    say(model(prose(20, n))),
    { type: 'pop', status: 'completed' },
  ]).flat();
  const up = Array.from({ length: levels }, (_, n): readonly Move[] => [
    say(model(prose(60, n + levels))),
    { type: 'pop', status: n % 3 === 2 ? 'failed' : 'completed' },
  ]).flat();
  return [...down, { type: 'reopen' }, ...up, say(person('back at the root'))];
}

/** Odd characters in every field there is. */
export function oddMoves(): readonly Move[] {
  const moves = oddTexts.flatMap((text, n): readonly Move[] => {
    const title = text.trim() === '' ? `Empty ${n}` : text.slice(0, 12);
    return [
      say(person(text), machine(text)),
      say(person(text)),
      say({
        role: 'assistant',
        content: [
          { type: 'text', text },
          { type: 'text', text },
        ],
        thinking: text,
        meta: { [text]: text },
        toolCalls: [
          { id: `o${n}${text}`, name: text === '' ? 'x' : text, arguments: { [text]: text } },
          { id: `p${n}`, name: 'p', arguments: text },
        ],
      }),
      say({ role: 'tool', toolCallId: `o${n}${text}`, name: text, content: text, isError: true }),
      say(result(`p${n}`, [text, ...Array.from({ length: 40 }, () => text)].join(' '))),
      { type: 'goal', description: `Goal ${n} ${text}` },
      say(
        model(
          `[GOAL] ${text} now\n[CHECKPOINT] ${text} - completed\n[DECISION] keep ${text} - locked\n[NEXT] ${text}`,
        ),
      ),
      { type: 'push', title: title.trim() === '' ? `T${n}` : title, criteria: text, as: `odd${n}` },
      say(person(`Always use ${text} instead of anything else, never "that".`)),
      say(model(`I decided on ${text} because ${text}.`)),
      n % 4 === 3
        ? { type: 'invalidate', frame: `odd${n}`, reason: text }
        : { type: 'pop', status: 'completed', results: text, decisions: [text], artifacts: [text] },
    ];
  });
  return [
    ...moves,
    { type: 'goal.status', status: 'pause' },
    { type: 'goal.status', status: 'complete' },
  ];
}
