import type { Message } from '../../src/core/messages/message.ts';
import { say, type Move } from '../../src/testing/laws/move.ts';
import { call, lines, machine, model, person, prose, result } from '../../src/testing/made-text.ts';

/** Parallel calls answered in any order, late, twice, by name only, or never. */
export function callMoves(): readonly Move[] {
  const moves: Move[] = [say(person('Always use tabs. Do not touch vendor/.'))];
  for (let round = 0; round < 12; round += 1) {
    const ids = Array.from({ length: 1 + ((round * 7) % 9) }, (_, k) => `c${round}-${k}`);
    const order = round % 4 === 1 ? [...ids].reverse() : ids;
    moves.push(
      say(model(round % 3 === 0 ? '' : prose(40, round), ...ids.map((id) => call(id, { id })))),
      ...order.map((id) => say(result(id, lines(round === 5 ? 900 : 30, round)))),
    );
  }
  return [...moves, ...aborted, ...unknown, ...repeated, ...nameless, ...together];
}

/** A person, the model or a machine speaks before the results come; then they come. */
const aborted: readonly Move[] = [
  say(model('about to run', call('a1'), call('a2'))),
  say(person('stop, not that')),
  say(result('a1', 'too late')),
  say(result('a1', 'too late again')),
  say(model('again', call('a3'), call('a4'), call('a5'))),
  say(result('a4', lines(60))),
  say(model('never mind', call('a6'))),
  say(result('a3', lines(400))),
  say(result('a5', 'late')),
  say(machine('the shell died')),
  say(result('a6', 'late, too')),
  say(model('nothing more')),
];

/** Results that answer nothing. */
const unknown: readonly Move[] = [
  say(result('nobody', 'unasked')),
  say({ role: 'tool', content: 'no id, no name' }),
  say({ role: 'tool', name: 'grep', content: lines(200) }),
  say({ role: 'tool', toolCallId: '', content: '' }),
];

/** Ids that come twice: in one message, in a later one, open and answered. */
const repeated: readonly Move[] = [
  say(model('', call('twin'), call('twin'))),
  say(result('twin', 'one')),
  say(result('twin', 'other')),
  say(result('twin', 'a third')),
  say(model('', call('twin', { again: true }), call('single'))),
  say(result('twin', 'first')),
  say(model('', call('twin'), call('twin'), call('single'))),
  say(result('twin', 'second')),
  say(person('go on')),
  say(result('twin', 'late')),
  say(result('single', 'late')),
];

/** Calls and results without ids. */
const nameless: readonly Move[] = [
  say({
    role: 'assistant',
    content: '',
    toolCalls: [
      { name: 'read', arguments: { path: 'a' } },
      { name: 'write', arguments: '{"path":' },
      { name: 'read', arguments: {} },
    ],
  }),
  say({ role: 'tool', name: 'write', content: 'written' }),
  say({ role: 'tool', content: 'the oldest' }),
  say(model('on')),
  say({ role: 'tool', name: 'read', content: 'late' }),
  say({ role: 'assistant', content: '', toolCalls: [] }),
];

/** Several messages in one append, with units that open and close within it. */
const together: readonly Move[] = [
  say(
    model('', call('t1'), call('t2')),
    result('t2', lines(50)),
    result('t1', 'x'),
    person('ok'),
    model('', call('t3')),
    person('no'),
    result('t3', 'late'),
    model('', call('t4')),
  ),
  say(result('t4', 'answered'), model('ok'), person('ok'), model('ok'), person('ok')),
  { type: 'append', messages: [] as readonly Message[] },
];
