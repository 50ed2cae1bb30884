import { expect, test } from 'vitest';
import { interruptionsIn } from '../../../src/core/lines/interruptions.ts';
import type { LeavingEntry } from '../../../src/core/messages/message.ts';
import { machine, model, person } from '../../../src/testing/made-text.ts';

const told = (...messages: readonly LeavingEntry['message'][]): readonly string[] =>
  interruptionsIn(messages.map((message, at) => ({ n: at + 1, message }))).map(
    ({ n, text }) => `e${n} ${text}`,
  );

const broken = machine('[Request interrupted by user]');

test('what a person broke off is told, and where nothing was done for it', () => {
  expect(told(person('commit “all”'), broken)).toEqual([
    'e2 the person broke off this before anything was done for it',
  ]);
  expect(told(person('commit'), model('I do.'), broken)).toEqual([
    'e3 the person broke off what was being done',
  ]);
  expect(told(broken)).toEqual(['e1 the person broke off what was being done']);
});

test('an answer that was broken off is told, and whether anything was done', () => {
  const part: LeavingEntry['message'] = { ...model('Let me'), finish: 'aborted' };
  const empty: LeavingEntry['message'] = { ...part, content: '' };
  expect(told(person('commit'), part)).toEqual(['e2 this answer was broken off']);
  expect(told(person('commit'), model('I do.'), part)).toEqual(['e3 this answer was broken off']);
  expect(told(person('commit'), empty)).toEqual(['e2 broken off before anything was done for it']);
  expect(told(person('commit'), model('I do.'), empty)).toEqual([
    'e3 what was being done was broken off',
  ]);
  const calling = { ...part, toolCalls: [{ id: 'c', name: 'ls', arguments: {} }] };
  expect(told(person('commit'), calling)).toEqual([]);
});

test('an answer that was broken off and the note of the host are told in one line, and neither where an answer follows at once', () => {
  const part: LeavingEntry['message'] = { ...model('Let me'), finish: 'aborted' };
  const empty: LeavingEntry['message'] = { ...part, content: '' };
  expect(told(person('commit'), part, broken)).toEqual([
    'e3 the person broke off what was being done',
  ]);
  expect(told(person('commit'), empty, broken)).toEqual([
    'e3 the person broke off this before anything was done for it',
  ]);
  expect(told(person('commit'), part, model('Done.'))).toEqual([]);
  expect(told(person('commit'), empty, model('Done.'))).toEqual([]);
});

test('what a person says of it, and a call that was refused, are no interruption', () => {
  expect(told(person('It says [Request interrupted by user] to me.'))).toEqual([]);
  expect(told(machine('[Request interrupted by user for tool use]'))).toEqual([]);
  expect(told(model('[Request interrupted by user]'))).toEqual([]);
});
