import type { ToolCall } from '../../src/core/messages/message.ts';
import { say, type Move } from '../../src/testing/laws/move.ts';
import { call, lines, machine, model, person, prose, result } from '../../src/testing/made-text.ts';

/** One message larger than the window, in every place where it can stand. */
export function giantMoves(limit: number): readonly Move[] {
  const size = Math.floor(limit * 1.3);
  const moves: Move[] = [say(person('Fix the parser. Never touch vendor/.')), ...talk(0)];
  const giants: readonly (readonly Move[])[] = [
    [say(model('look', call('g1'))), say(result('g1', lines(size)))],
    [say(model('', call('g2'))), say(result('g2', 'a'.repeat(size * 4)))],
    ...argumentsOf(size).map((given, index) => [
      say(model('writing', call(`w${index}`, given, 'write'))),
      say(result(`w${index}`, 'written')),
    ]),
    [
      say(model(prose(size, 1), call('p1', { text: prose(size, 2) }), call('p2', deep(size)))),
      say(result('p2', lines(size, 1))),
      say(result('p1', lines(size, 2))),
    ],
    [say(machine(lines(Math.max(size, 27_000))))],
    [say(person(`Here is the log.\n${lines(size)}\nAlways read it to the end.`))],
    [say(person(prose(size, 3)))],
    [say(model(prose(size, 4)))],
    [say(person(prose(limit * 0.19, 5))), say(person(prose(limit * 0.19, 6)))],
    [say(result('nobody', lines(size, 7)))],
    [say(model('', call('late'))), say(person('stop')), say(result('late', lines(size, 8)))],
    [
      say(
        person(lines(size, 9)),
        machine(lines(size, 10)),
        model(prose(size, 11)),
        person(lines(size, 12)),
      ),
    ],
  ];
  giants.forEach((giant, index) => moves.push(...giant, ...talk(index + 1)));
  return moves;
}

function talk(seed: number): readonly Move[] {
  return [say(model(prose(60, seed))), say(person(`go on, step ${seed}`))];
}

/** Arguments that are too long in every way: one text, many, nested, a list, and no JSON at all. */
function argumentsOf(size: number): readonly ToolCall['arguments'][] {
  return [
    { path: 'src/all.ts', content: lines(Math.max(size, 17_000)) },
    {
      edits: Array.from({ length: Math.ceil(size / 20) }, (_, n) => ({ at: n, text: `line ${n}` })),
    },
    { numbers: Array.from({ length: size }, (_, n) => n) },
    deep(size),
    `{"content": "${lines(size)}`,
    JSON.stringify({ path: 'a.ts', content: lines(size) }),
    JSON.stringify(Array.from({ length: size }, (_, n) => n)),
    { [prose(size, 5)]: 1 },
    { script: `"${'\\"'.repeat(size)}"` },
  ];
}

function deep(size: number): Readonly<Record<string, unknown>> {
  let inside: Readonly<Record<string, unknown>> = { end: lines(size / 2) };
  for (let level = 0; level < Math.min(500, size / 10); level += 1)
    inside = { level, below: inside, list: [level, `${level}`] };
  return inside;
}

/** Windows that change on reopening, both ways, with long text of people in view. */
export function windowMoves(limit: number): readonly Move[] {
  const fill = (seed: number): readonly Move[] => [
    say(person(prose(limit * 0.1, seed))),
    say(model(prose(limit * 0.1, seed + 1), call(`r${seed}`))),
    say(result(`r${seed}`, lines(limit * 0.3, seed))),
    say(person(prose(300, seed + 2))),
    say(model(prose(limit * 0.05, seed + 3))),
  ];
  const small = Math.min(limit, 2_000);
  return [
    ...fill(0),
    ...fill(10),
    { type: 'reopen', options: { window: 32_000, reserve: 0 } },
    ...fill(20),
    { type: 'reopen', options: { window: small, reserve: 0 } },
    ...fill(30),
    { type: 'configure', options: { window: 999, reserve: 0 }, refused: 'WINDOW_TOO_SMALL' },
    { type: 'configure', options: { system: prose(40_000) }, refused: 'SYSTEM_TOO_LARGE' },
    { type: 'reopen', options: { window: limit, reserve: Math.floor(limit / 10) } },
    ...fill(40),
    {
      type: 'configure',
      options: { window: 32_000, reserve: 0, system: 'Another one, \ufeffbyte for byte.\n' },
    },
    ...fill(50),
    { type: 'configure', options: { window: small, reserve: 0 } },
    { type: 'reopen' },
    ...fill(60),
  ];
}

/** Tools that grow until nothing fits, and go away again. */
export function toolMoves(limit: number): readonly Move[] {
  const tools = (size: number): readonly unknown[] => [{ name: 'bash', description: prose(size) }];
  const fill = (seed: number): readonly Move[] => [
    say(person(prose(limit * 0.15, seed))),
    say(model(prose(limit * 0.2, seed))),
    say(person(prose(limit * 0.15, seed + 100))),
    say(model(prose(limit * 0.2, seed + 200), call(`u${seed}`))),
    say(result(`u${seed}`, lines(limit * 0.2, seed))),
  ];
  return [
    ...fill(0),
    { type: 'tools', tools: tools(limit * 0.1) },
    ...fill(1),
    { type: 'tools', tools: tools(limit * 0.4) },
    ...fill(2),
    { type: 'tools', tools: tools(limit * 1.5), refused: 'CONTEXT_OVERFLOW' },
    ...fill(3),
    { type: 'tools', tools: [] },
    ...fill(4),
    { type: 'tools', tools: tools(limit * 0.2) },
    { type: 'reopen' },
    ...fill(5),
  ];
}
