import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addCommands } from '../../src/cli/program.ts';

const making = { call: () => expect.unreachable(), settle: () => undefined };

function namesWith(name?: string): readonly string[] {
  const program = new Command('flamestack');
  addCommands(program, making, name);
  return program.commands.map((command) => command.name());
}

test('a command that is named is added without the others, and all are where none is', () => {
  const names = namesWith();
  expect(names).toContain('redo');
  expect(namesWith('--help')).toEqual(names);
  for (const name of names) {
    const added = namesWith(name);
    expect(added).toContain(name);
    expect(added.length).toBeLessThan(3);
  }
});
