import { readFileSync } from 'node:fs';
import type { AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import * as machines from '../../machines/index.ts';
import type { Phase } from '../../src/core/frames/lifecycle.ts';
import { portsOf } from '../machines/stage.ts';

const page = readFileSync(new URL('../../docs/machines.md', import.meta.url), 'utf8');
const offered = Object.entries(machines)
  .filter(([name]) => name.endsWith('Machine'))
  .map(([, machine]) => [(machine as AnyStateMachine).id, machine as AnyStateMachine] as const);

test('the page has a section for each machine that the package offers', () => {
  const titles = [...page.matchAll(/^## (\w+)$/gm)].map(([, title]) => title!);
  expect(titles.toSorted()).toEqual(offered.map(([id]) => id).toSorted());
});

test.each(offered)('the drawing of %s is that of today (npm run docs:diagrams)', (id, machine) => {
  const drawing = new RegExp(
    `<!-- machine: ${id} -->\n\n\`\`\`mermaid\n([^]*?)\`\`\`\n\n<!-- /machine -->`,
  );
  expect(drawing.exec(page)?.[1]).toBe(machines.toMermaid(machine));
});

test.each(offered)('the table of %s names its ports', (id, machine) => {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${id}\n`)) ?? '';
  const named = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, port]) => port!);
  expect(named).toEqual(portsOf(machine));
});

test('the table of commands is the session machine', () => {
  const [, heads = ''] = /^\| commands \|(.*)\|$/m.exec(page)!;
  const phases = heads.split('|').map((head) => head.trim()) as Phase[];
  const rows = [...page.matchAll(/^\| [a-z][^|]*(?:`[\w.]+`[, ;]*)+ \|(.*)\|$/gm)];
  const taken = rows.flatMap(([row, cells = '']) => {
    const named = [...row.matchAll(/`([\w.]+)`/g)].map(([, command]) => command!);
    const marks = cells.split('|').map((cell) => cell.trim());
    return phases.flatMap((phase, at) =>
      marks[at] === '' ? [] : named.map((command) => `${phase} ${command}`),
    );
  });
  const said = phases.flatMap((phase) =>
    Object.keys(machines.sessionTable[phase])
      .filter((command) => !/^(?:compression|recovery|session)\./.test(command))
      .map((command) => `${phase} ${command}`),
  );
  expect(taken.toSorted()).toEqual(said.toSorted());
});
