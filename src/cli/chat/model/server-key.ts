import type { Io } from '../../io.ts';

/** Variables that hold the key of a model server; the first that is set is meant. */
const names: readonly string[] = ['FLAMESTACK_API_KEY', 'OPENAI_API_KEY'];

/** The key of a model server; '' for none. */
export function serverKey(env: Io['env']): string {
  return names.map((name) => env[name]).find(Boolean) ?? '';
}

/** Names of variables that hold the key of some server. */
const keyName = /API_?KEY$/i;

/** The environment of a command that a model wrote: it need not see the keys of servers. */
export function withoutKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !keyName.test(name)));
}

/** Shortest key that is told from a word. */
const shortestKey = 8;

/**
 * What a tool read, without the keys of servers: a command of the same person can read the environment
 * of the process that runs it, and what it prints would go into the log and to the server.
 */
export function redacted(text: string, env: NodeJS.ProcessEnv): string {
  return Object.entries(env).reduce(
    (shown, [name, key = '']) =>
      keyName.test(name) && key.length >= shortestKey ? shown.replaceAll(key, `[${name}]`) : shown,
    text,
  );
}
