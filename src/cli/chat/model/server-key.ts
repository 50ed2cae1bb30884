import type { Io } from '../../io.ts';

/** Variables that hold the key of a model server; the first that is set is meant. */
const names: readonly string[] = ['FLAMESTACK_API_KEY', 'OPENAI_API_KEY'];

/** The key of a model server; '' for none. */
export function serverKey(env: Io['env']): string {
  return names.map((name) => env[name]).find(Boolean) ?? '';
}

/** Names of variables and headers that hold a key of some server. */
const keyName = /(?:API[_-]?KEY|TOKEN|SECRET|PASSWORD|AUTHORIZATION)$/i;

/** Shortest key that is told from a word. */
const shortestKey = 8;

/**
 * What a tool gave, with names for the keys of servers: a server of the same person can read what they
 * read, and what it says goes into the log and to the model.
 */
export function redacted(text: string, keys: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(keys).reduce(
    (masked, [name, key = '']) =>
      keyName.test(name) && key.length >= shortestKey
        ? masked.replaceAll(key, `[${name}]`)
        : masked,
    text,
  );
}
