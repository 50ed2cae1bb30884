import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addCommands } from '../../../src/cli/program.ts';
import { flamestack } from '../call.ts';

/** Every command, and every verb of one. */
function allCommands(): readonly string[] {
  const program = new Command();
  addCommands(program, { call: () => expect.unreachable(), settle: () => undefined });
  return program.commands.flatMap((command) => [
    command.name(),
    ...command.commands.map((verb) => `${command.name()} ${verb.name()}`),
  ]);
}

test.each(allCommands())('the help of %s fits 80 columns, and has examples', async (name) => {
  const { exit, out } = await flamestack(`${name} --help`);
  expect(exit).toBe(0);
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(out).toContain(`\nExamples\n  flamestack ${name.split(' ')[0]}`);
});

test.each([...allCommands(), 'help', 'help exit-codes'])(
  'at a narrow terminal the help of %s is parted between words',
  async (name) => {
    const line = name.startsWith('help') ? name : `${name} --help`;
    const whole = await flamestack(line);
    for (const columns of [40, 60]) {
      const { out } = await flamestack(line, { isTTY: true, columns });
      const tooLong = out.split('\n').filter((one) => one.length > columns);
      expect(tooLong.filter((one) => one.trim().includes(' '))).toEqual([]);
      expect(out.split(/\s+/)).toEqual(whole.out.split(/\s+/));
    }
    expect((await flamestack(line, { isTTY: true, columns: 80 })).out).toBe(whole.out);
  },
);

test.each(allCommands().filter((name) => !name.includes(' ')))(
  'the program alone names %s',
  async (name) => {
    expect((await flamestack('')).out).toMatch(new RegExp(`^  (?:.* )?${name}[, ]`, 'm'));
  },
);
