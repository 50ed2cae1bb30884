import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callsIn, callsOf } from '../../../src/core/commands/scripted-calls.ts';
import { changesIn } from '../../../src/core/files/changes.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';
import { draws } from '../../draws.ts';

const script = (input: string): ToolCall => ({ id: 'c1', name: 'exec', arguments: input });

test('a script makes the calls that stand in it; the last has its id, and so its result', () => {
  expect(
    callsIn(
      script(
        'const p = await tools.update_plan({plan: [{step: "hash", status: "pending"}]});\n' +
          'const r = await tools.exec_command({cmd: "npm test", "workdir": \'/shop\', most: 1_000, all: true}); text(r.output)',
      ),
    ),
  ).toEqual([
    { name: 'update_plan', arguments: { plan: [{ step: 'hash', status: 'pending' }] } },
    {
      id: 'c1',
      name: 'exec_command',
      arguments: { cmd: 'npm test', workdir: '/shop', most: 1000, all: true },
    },
  ]);
});

test('commands that follow one another are one call, whose result is that of all', () => {
  const both =
    'await Promise.all([tools.exec_command({cmd:"cat a.ts"}), tools.exec_command({cmd:`cat ${name}.ts`})])';
  expect(callsIn(script(both))).toEqual([
    { id: 'c1', name: 'exec_command', arguments: { cmd: 'cat a.ts\ncat ${name}.ts' } },
  ]);
});

test('a patch is found by whatever name the script has for it', () => {
  const [call] = callsIn(
    script(
      'const patch = "*** Begin Patch\\n*** Update File: /shop/a.ts\\n@@\\n+export const salt = 12;\\n*** End Patch";\ntext(await tools.apply_patch(patch));',
    ),
  );
  const told = changesIn({ call: call!, result: undefined });
  expect(told.map(({ path, facts }) => [path, facts.map(({ name }) => name)])).toEqual([
    ['/shop/a.ts', ['salt']],
  ]);
});

test('what a script works out is left out; its other arguments are read', () => {
  const [call] = callsIn(
    script(
      'tools.fetch({url: base + "/a", of: list.map((x) => x[0]), depth: 2, name: "a\\u0062\\x63"})',
    ),
  );
  expect(call?.arguments).toEqual({ depth: 2, name: 'abc' });
});

test('a call that runs no script, or one that calls no tool, is itself', () => {
  const calls: readonly ToolCall[] = [
    { name: 'bash', arguments: { command: 'grep tools.exec_command(' } },
    script('text(ALL_TOOLS.length)'),
    script('tools.exec_command(command)'),
    { name: 'exec', arguments: { command: 'tools.exec_command({cmd:"ls"})' } },
  ];
  for (const call of calls) expect(callsIn(call)).toEqual([call]);
  expect(callsOf({ role: 'user', content: 'tools.' })).toEqual([]);
});

test('whatever value a script gives a tool, it is read as JavaScript reads it', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue({ maxDepth: 3 })),
      (given) => {
        const text = JSON.stringify(given);
        const [call] = callsIn(script(`await tools.save(${text}); done`));
        // Written so, that name sets a prototype, and is none of the value.
        const read: unknown = JSON.parse(text, (name, value: unknown) =>
          name === '__proto__' ? undefined : value,
        );
        expect(call).toEqual({ id: 'c1', name: 'save', arguments: read });
      },
    ),
    { numRuns: draws(300) },
  );
});

test('whatever stands in a script, reading it ends and throws nothing', () => {
  const sign = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '`',
    "'",
    '\\',
    ',',
    ':',
    '(',
    ')',
    'a',
    '1',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
      expect(callsIn(script(`tools.a(${signs.join('')}`)).length).toBeGreaterThan(0);
    }),
    { numRuns: draws(300) },
  );
});

test('a script that opens without end is read to a bound', () => {
  const calls = callsIn(script('tools.a({x: f('.repeat(20_000)));
  expect(calls).toHaveLength(1);
  expect(callsIn(script('tools.a({x: 1});'.repeat(1_000)))).toHaveLength(64);
});
