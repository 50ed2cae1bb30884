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

test.each(allCommands().filter((name) => !name.includes(' ')))(
  'the program alone names %s',
  async (name) => {
    expect((await flamestack('')).out).toMatch(new RegExp(`^  (?:.* )?${name}[, ]`, 'm'));
  },
);
