import type { Io } from '../../io.ts';

/** Variables that hold the key of a model server; the first that is set is meant. */
const names: readonly string[] = ['FLAMESTACK_API_KEY', 'OPENAI_API_KEY'];

/** The key of a model server; '' for none. */
export function serverKey(env: Io['env']): string {
  return names.map((name) => env[name]).find(Boolean) ?? '';
}

/** The environment of a command that a model wrote: it need not see the keys of servers. */
export function withoutKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
