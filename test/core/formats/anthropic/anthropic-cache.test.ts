import { expect, test } from 'vitest';
import {
  setBreakpoints,
  type PlacedBlock,
} from '../../../../src/core/formats/anthropic/anthropic-cache.ts';

/** Blocks in a notation: `u` of a person, `a` of the model, `r` as Anthropic spelled it; capitals where most compressions change nothing. */
const placedOf = (line: string): readonly PlacedBlock[] =>
  Array.from(line, (mark) => ({
    role: mark.toLowerCase() === 'a' ? 'assistant' : 'user',
    block: { type: 'text', text: mark },
    isSettled: mark !== mark.toLowerCase(),
    isRaw: mark.toLowerCase() === 'r',
  }));

/** The places of the breakpoints among these blocks. */
const marked = (line: string): readonly number[] =>
  setBreakpoints({ system: [], tools: [], placed: placedOf(line) }, 'auto').placed.flatMap(
    ({ block }, index) => ('cache_control' in block ? [index] : []),
  );

test.each([
  ['', []],
  ['u', [0]],
  ['a', []],
  ['r', []],
  ['ua', [0]],
  ['uur', [1]],
  ['UUu', [1, 2]],
  ['UAu', [0, 2]],
  ['URAu', [0, 3]],
  ['uUu', [1, 2]],
  ['UU', [1]],
  ['uuuuuuuuuuuuuuu', [14]],
  ['uuuuuuuuuuuuuuuu', [0, 15]],
  ['uuuuuuuuuuuuuuuuu', [1, 16]],
  ['uuuuuuuuuuuuuuuuaa', [0, 15]],
  ['uaruuuuuuuuuuuuuuu', [0, 17]],
  ['UUuuuuuuuuuuuuuuuuuu', [1, 4, 19]],
])('breakpoints of %j', (line, places) => expect(marked(line)).toEqual(places));

const system = ['one', 'two'].map((text) => ({ type: 'text' as const, text }));
const tools = ['a', 'b'].map((name) => {
  return { name, description: '', input_schema: { type: 'object' as const } };
});
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };

test('the last of the system prompt has one; without it the last of the tools', () => {
  expect(setBreakpoints({ system, tools, placed: placedOf('u') }, '1h')).toStrictEqual({
    system: [system[0], { ...system[1], ...hour }],
    tools,
    placed: [{ ...placedOf('u')[0], block: { type: 'text', text: 'u', ...hour } }],
  });
  expect(setBreakpoints({ system: [], tools, placed: [] }, 'auto')).toStrictEqual({
    system: [],
    tools: [tools[0], { ...tools[1], cache_control: { type: 'ephemeral' } }],
    placed: [],
  });
});
