import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claudeCode } from '../../../src/import/claude-code/claude-code.ts';
import { jsonl, keysOf, modelsOf, stepsOf, told } from '../told.ts';
import { linesOf, text } from './lines.ts';

const time = '2026-01-02T03:04:05.000Z';
const { line, user, model } = linesOf({ sessionId: '11-22', timestamp: time });
const call = (id: string, name = 'Bash', input: object = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
});
const result = (id: string, content: unknown, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const side = { isSidechain: true };

test('the lines of one API message make one message', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', text('\n\n')]),
    model('c < b', ['m1', { type: 'thinking', thinking: 'hm' }]),
    model('d < c', ['m1', text('looking')]),
    model('e < d', ['m1', call('t1')]),
    user('f < e', [result('t1', 'ok')]),
    model('g < f', ['m2', text('done')]),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'assistant: <hm> looking Bash(t1)',
    'result t1: ok',
    'assistant: done',
  ]);
  expect(keysOf(await stepsOf(claudeCode, file))).toEqual(['a', 'b', 'f', 'g']);
});

test('parallel calls are no rewind: results between the lines of a message follow it', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', call('t1')]),
    line('p1 < b', { type: 'progress', data: { type: 'hook_progress' } }),
    model('c < b', ['m1', call('t2')]),
    user('r1 < b', [result('t1', 'one')]),
    model('d < c', ['m1', call('t3')]),
    user('r2 < c', [result('t2', 'two', { is_error: true })]),
    user('r3 < d', [result('t3', 'three')]),
    model('e < r3', ['m2', text('done')]),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'assistant: Bash(t1) Bash(t2) Bash(t3)',
    'result t1: one',
    'result t2!: two',
    'result t3: three',
    'assistant: done',
  ]);
});

test('a result that comes last does not hide what was said before it', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', call('t1')]),
    model('c < b', ['m1', call('t2')]),
    user('r2 < c', [result('t2', 'two')]),
    model('d < r2', ['m2', text('going on')]),
    user('r1 < b', [result('t1', 'late')]),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'assistant: Bash(t1) Bash(t2)',
    'result t2: two',
    'assistant: going on',
    'result t1: late',
  ]);
});

test('a call whose line hangs beside the path belongs to its message', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', call('t1')]),
    model('c < b', ['m1', call('t2')]),
    user('r2 < c', [result('t2', 'two')]),
    user('r1 < b', [result('t1', 'one')]),
    model('d < r1', ['m2', text('done')]),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'assistant: Bash(t1) Bash(t2)',
    'result t2: two',
    'result t1: one',
    'assistant: done',
  ]);
});

test('copies of a message and of a result on a branch that was left are left with it', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', call('t1')]),
    user('c < b', [result('t1', 'one')]),
    model('b2 < a', ['m1', call('t1')]),
    user('c2 < b2', [result('t1', 'one')]),
    model('d < c2', ['m2', text('done')]),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'skip 2: abandoned branch of 2 messages',
    'assistant: Bash(t1)',
    'result t1: one',
    'assistant: done',
  ]);
});

test('a call id that comes again in a line beside the path is another call', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', call('t1')]),
    user('c < b', [result('t1', 'one')]),
    model('d < c', ['m2', call('t2')]),
    model('e < d', ['m2', call('t1')]),
    user('f < e', [result('t1', 'again')]),
    user('g < d', [result('t2', 'two')]),
    model('h < g', ['m3', text('done')]),
  );
  expect((await told(claudeCode, file)).slice(2)).toEqual([
    'result t1: one',
    'assistant: Bash(t2) Bash(t1)',
    'result t1: again',
    'result t2: two',
    'assistant: done',
  ]);
});

test('a compaction follows the line that it names, not the branch that was left before it', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', text('hello')]),
    user('c < b', 'wrong way'),
    line('d', { type: 'system', subtype: 'compact_boundary', logicalParentUuid: 'b' }),
    user('e < d', 'on'),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'assistant: hello',
    'skip 3: abandoned branch of 1 message',
    'person: on',
  ]);
});

test('a call id that comes again in another message has a result of its own', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', call('t1')]),
    user('c < b', [result('t1', 'one')]),
    model('d < c', ['m2', call('t1')]),
    model('e < d', ['m2', call('t2')]),
    user('f < d', [result('t1', 'again')]),
    user('g < e', [result('t2', 'two')]),
    model('h < g', ['m3', text('done')]),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'assistant: Bash(t1)',
    'result t1: one',
    'assistant: Bash(t1) Bash(t2)',
    'result t1: again',
    'result t2: two',
    'assistant: done',
  ]);
});

test('a rewind is one skip, and its calls are not told', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', text('hello')]),
    user('c < b', 'wrong way'),
    model('d < c', ['m2', text('x')]),
    model('e < d', ['m2', call('t1')]),
    user('f < e', [result('t1', 'y')]),
    user('g < b', 'right way'),
    model('h < g', ['m3', text('yes')]),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'assistant: hello',
    'skip 3: abandoned branch of 3 messages',
    'person: right way',
    'assistant: yes',
  ]);
});

test('a session that was begun again leaves its first beginning', async () => {
  const file = jsonl(
    user('a', 'first try'),
    model('b < a', ['m1', text('hello')]),
    user('c', 'second try'),
    model('d < c', ['m2', text('hi')]),
  );
  expect(await told(claudeCode, file)).toEqual([
    'skip 1: abandoned branch of 2 messages',
    'person: second try',
    'assistant: hi',
  ]);
});

test('a compaction takes nothing away and its summary comes as machine text', async () => {
  const file = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', text('long work')]),
    line('c', { type: 'system', subtype: 'compact_boundary', logicalParentUuid: 'b' }),
    user('d < c', 'This session is being continued from …', { isCompactSummary: true }),
    user('e < d', '<local-command-caveat>Caveat: x</local-command-caveat>', { isMeta: true }),
    user(
      'f < e',
      '<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args>keep the plan</command-args>',
    ),
    user('g < f', '<local-command-stdout>Compacted</local-command-stdout>'),
    user('h < g', 'go on'),
    model('i < h', ['m2', text('sure')]),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'assistant: long work',
    'machine: This session is being continued from …',
    'machine: <local-command-caveat>Caveat: x</local-command-caveat>',
    'person: /compact keep the plan',
    'machine: <local-command-stdout>Compacted</local-command-stdout>',
    'person: go on',
    'assistant: sure',
  ]);
});

const twoSides = jsonl(
  user('a', 'go'),
  model('b < a', [
    'm1',
    call('t1', 'Task', { description: 'Build the page', prompt: 'Write index.html' }),
  ]),
  model('c < b', ['m1', call('t2', 'Task', { prompt: 'Write the styles' })]),
  user('x1', 'Write the styles', side),
  user('y1', 'Write index.html', side),
  model('x2 < x1', ['mx', call('u1', 'Write')], side),
  model('y2 < y1', ['my', text('page done')], side),
  user('x3 < x2', [result('u1', 'no space', { is_error: true })], side),
  model('x4 < x3', ['mx2', text('API Error: 500')], { ...side, isApiErrorMessage: true }),
  user('r1 < c', [result('t1', 'page done')]),
  user('r2 < r1', [result('t2', 'API Error: 500')]),
  model('z < r2', ['m2', text('half done')]),
);

test('side chains become frames, one after the other, where they begin', async () => {
  expect(await told(claudeCode, twoSides)).toEqual([
    'person: go',
    'assistant: Task(t1) Task(t2)',
    'push Write the styles: Write the styles',
    'machine: Write the styles',
    'assistant: Write(u1)',
    'result u1!: no space',
    'assistant: API Error: 500',
    'pop failed: API Error: 500',
    'push Build the page: Write index.html',
    'machine: Write index.html',
    'assistant: page done',
    'pop completed: page done',
    'result t1: page done',
    'result t2: API Error: 500',
    'assistant: half done',
  ]);
});

test('a side chain without an end is a blocked frame, and one whose call failed a failed one', async () => {
  const cut = jsonl(
    user('x1', 'Look', side),
    model('x2 < x1', ['m', text('looking'), call('u')], side),
  );
  expect((await told(claudeCode, cut)).at(-1)).toBe('pop blocked: looking');
  const failed = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', call('t1', 'Task', { prompt: 'Look' })]),
    user('x1', 'Look', side),
    model('x2 < x1', ['m', text('found')], side),
    user('r < b', [result('t1', 'cancelled', { is_error: true })]),
  );
  expect((await told(claudeCode, failed)).at(-2)).toBe('pop failed: found');
});

test('a side chain of a branch that was left is left with it', async () => {
  const file = jsonl(
    user('a', 'go'),
    user('b < a', 'wrong'),
    model('c < b', ['m1', call('t1', 'Task', { prompt: 'Look' })]),
    user('x', 'Look', side),
    user('d < a', 'right'),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'skip 2: abandoned branch of 2 messages',
    'skip 4: abandoned branch of 1 message',
    'person: right',
  ]);
});

test('several results and texts of one line are several messages', async () => {
  const file = jsonl(
    model('b', ['m1', call('t1'), call('t2')]),
    user('c < b', [
      result('t1', [
        text('seen'),
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      ]),
      result('t2', undefined),
      text('<system-reminder>todo</system-reminder>'),
      text('and hurry'),
    ]),
  );
  const steps = await stepsOf(claudeCode, file);
  expect(await told(claudeCode, file)).toEqual([
    'assistant: Bash(t1) Bash(t2)',
    'result t1: seen',
    'result t2: ',
    'machine: <system-reminder>todo</system-reminder>',
    'person: and hurry',
  ]);
  expect(keysOf(steps)).toEqual(['b', 'c:0', 'c:1', 'c:2', 'c:3']);
  expect(steps[2]).toMatchObject({
    message: {
      content: [{ type: 'text' }, { type: 'file', mediaType: 'image/png', data: 'AAAA' }],
    },
  });
});

test('a broken line is a skip, and the conversation goes on across it', async () => {
  const file = jsonl(
    { type: 'summary', summary: 'Of another session', leafUuid: 'gone' },
    user('a', 'go'),
    '{"uuid":"b","parentUuid":"a",',
    model('c < b', ['m1', text('hello')]),
    { type: 'user', uuid: 'd', parentUuid: 'c', sessionId: '11-22' },
    user('a', 'go'),
    { type: 'queue-operation', operation: 'enqueue' },
    '7',
    { uuid: 'q' },
    user('e < d', 'bye'),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'skip 3: not JSON',
    'assistant: hello',
    'skip 5: has no "message"',
    'skip 6: repeats line 2',
    'skip 8: not a JSON object',
    'skip 9: has no "type"',
    'person: bye',
  ]);
  expect((await stepsOf(claudeCode, file))[0]).toEqual({ type: 'session', id: '11-22' });
});

test('the keys of a file stay when it grows', async () => {
  const lines = twoSides.split('\n');
  // A frame is blocked where its end is not told yet.
  const keys = async (file: string) =>
    keysOf(await stepsOf(claudeCode, file)).filter((key) => !key.includes(':blocked:'));
  const whole = await keys(twoSides);
  expect(new Set(whole).size).toBe(whole.length);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: lines.length }), async (length) => {
      const part = await keys(lines.slice(0, length).join('\n'));
      expect(whole).toEqual(expect.arrayContaining([...part]));
    }),
  );
});

test('whatever the shape of the graph, nothing is told twice and no message is lost without a skip', async () => {
  const shape = fc.array(fc.tuple(fc.nat(30), fc.nat(5), fc.boolean()), {
    minLength: 1,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(shape, async (nodes) => {
      const file = nodes.map(([parent, kind, isSide], at) => {
        const place = parent < at ? `n${at} < n${parent}` : `n${at}`;
        const more = isSide ? side : {};
        if (kind === 0) return user(place, `text ${at}`, more);
        if (kind === 1) return user(place, [result(`t${parent}`, `r ${at}`)], more);
        return model(
          place,
          [`m${at - (kind > 3 ? 1 : 0)}`, text(`says ${at}`), call(`t${at}`)],
          more,
        );
      });
      const steps = await stepsOf(claudeCode, jsonl(...file));
      const keys = keysOf(steps);
      expect(new Set(keys).size).toBe(keys.length);
      const left = steps.some((step) => step.type === 'skip');
      const texts = JSON.stringify(steps);
      if (!left)
        for (const at of nodes.keys())
          expect(
            [`text ${at}"`, `r ${at}"`, `says ${at}`].some((said) => texts.includes(said)),
          ).toBe(true);
      const pushes = steps.filter(({ type }) => type === 'push').length;
      expect(steps.filter(({ type }) => type === 'pop').length).toBe(pushes);
    }),
  );
});

const queue = (operation: string, more: object = {}) => ({
  type: 'queue-operation',
  operation,
  timestamp: time,
  sessionId: '11-22',
  ...more,
});

test('what a person said while the model was at work stands behind the results it was given with', async () => {
  const file = [
    user('a', 'go'),
    model('b < a', ['m1', call('t1')]),
    queue('enqueue', { content: 'use port 8080', timestamp: '2026-01-02T03:04:06.000Z' }),
    queue('remove'),
    user('r1 < b', [result('t1', 'ok')]),
    model('c < r1', ['m2', text('done')]),
  ];
  const whole = ['person: go', 'assistant: Bash(t1)', 'result t1: ok', 'person: use port 8080'];
  expect(await told(claudeCode, jsonl(...file))).toEqual([...whole, 'assistant: done']);
  expect(await told(claudeCode, jsonl(...file.slice(0, 5)))).toEqual(whole);
  expect(await told(claudeCode, jsonl(...file.slice(0, 4)))).toEqual(whole.slice(0, 2));
});

test('what was queued and comes as a prompt, was taken back, or is a command of the host is told once or not at all', async () => {
  const file = jsonl(
    user('a', 'go'),
    queue('enqueue', { content: 'then lint' }),
    queue('enqueue', { content: 'oops' }),
    queue('dequeue'),
    queue('popAll', { content: 'oops' }),
    queue('enqueue', { content: '/skills' }),
    queue('remove'),
    queue('remove'),
    model('b < a', ['m1', text('done')]),
    user('c < b', 'then lint'),
  );
  expect(await told(claudeCode, file)).toEqual([
    'person: go',
    'assistant: done',
    'person: then lint',
  ]);
});

test('two that were queued at once are both told', async () => {
  const file = jsonl(
    user('a', 'go'),
    queue('enqueue', { content: 'use port 8080' }),
    queue('enqueue', { content: 'and lint' }),
    queue('remove'),
    queue('remove'),
    model('b < a', ['m1', text('done')]),
  );
  const keys = keysOf(await stepsOf(claudeCode, file));
  expect(new Set(keys).size).toBe(4);
});

test('an answer has its model; one that Claude Code gave itself has none', async () => {
  const by = (place: string, id: string, name: string) =>
    line(place, {
      type: 'assistant',
      message: { id, role: 'assistant', model: name, content: [text(id)] },
    });
  const file = jsonl(
    user('a', 'go'),
    by('b < a', 'm1', 'claude-opus-4-6'),
    by('c < b', 'm2', '<synthetic>'),
    model('d < c', ['m3', text('old')]),
  );
  expect(await modelsOf(claudeCode, file)).toEqual([
    { name: 'claude-opus-4-6' },
    undefined,
    undefined,
  ]);
});
