import type { AnyStateMachine } from 'xstate';
import { toDefinition } from './definition.ts';

/**
 * A machine as a module for XState 5, to bring into an editor of statecharts: the whole chart, with a
 * place for each guard, action, port and function that it names.
 */
export function toSource(machine: AnyStateMachine): string {
  const definition = JSON.stringify(toDefinition(machine), null, 2);
  const functions = [...new Set([...definition.matchAll(/"(\w+)\(\)"/g)].map(([, name]) => name))];
  const { actors, guards, actions } = machine.implementations;
  const chart = definition
    .replaceAll(/"(\w+)\(\)"/g, '$1')
    .replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
  return [
    `import { ${Object.keys(actors).length > 0 ? 'fromPromise, ' : ''}setup } from 'xstate';`,
    '',
    `// The chart of \`${machine.id}\`; what its names do is for you to say.`,
    ...functions.map((name) => `const ${name} = () => ({});`),
    '',
    `export const ${nameOf(machine.id)} = setup({`,
    ...part('actors', Object.keys(actors), 'fromPromise(async () => {})'),
    ...part('guards', Object.keys(guards), '() => false'),
    ...part('actions', Object.keys(actions), '() => {}'),
    `}).createMachine(${chart});`,
    '',
  ].join('\n');
}

/** The name of its constant: `my-agent` is `myAgentMachine`. */
const nameOf = (id: string): string =>
  `${id.replace(/\W+(\w)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '').replace(/^(?=\d)/, '_')}Machine`;

function part(key: string, names: readonly string[], body: string): readonly string[] {
  if (names.length === 0) return [];
  return [`  ${key}: {`, ...names.map((name) => `    ${name}: ${body},`), '  },'];
}
