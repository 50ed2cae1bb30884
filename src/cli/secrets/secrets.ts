import { toExchange } from '../paper/exchange-json.ts';
import { cookies, forms, named } from './forms.ts';
import { isKey } from './judge.ts';
import { newKnownParts, type Secret } from './known-parts.ts';
import { passwords } from './passwords.ts';
import { replacePrivateKeys } from './private-keys.ts';
import { replaceValues } from './values.ts';

// Sessions are full of what was printed by accident: an environment, a configuration, a header. Before a
// session is handed to somebody else, what looks like a key is taken out, by the forms that keys have, and by
// the names that stand before them. A key that was found once is known then, and found where it stands
// without its name, and where a line was cut within it; a short password where all of it stands by itself.
//
//   log      API_KEY=sk-proj-Zk3…9Q        by its form, and by its name
//   prompt   - e18 the key is sk-proj-Zk…  by its beginning

/** How many different strings of a kind were taken out. */
export interface FoundSecrets {
  readonly kind: string;
  readonly count: number;
}

/** How many that are, of all kinds. */
export const countOf = (kinds: readonly FoundSecrets[]): number =>
  kinds.reduce((sum, { count }) => sum + count, 0);

/** Takes key-like strings out of texts. */
export interface Secrets {
  /** Learns the keys of a whole text. */
  learn(text: string): void;
  /** A text without them. */
  hide(text: string): string;
  /** What was taken out so far, by kind. */
  found(): readonly FoundSecrets[];
}

/** What stands in place of keys; a word of it may be one elsewhere. */
const masks = /(\[redacted [A-Za-z ]{1,24}\])/;

/** Nothing found yet. */
export function newSecrets(): Secrets {
  const all = new Map<string, Secret>();
  const hidden = new Set<Secret>();
  const knownParts = newKnownParts();
  const take = (kind: string, text: string): Secret => {
    // One that is known, or the beginning or end of it, is none of its own.
    const same = all.get(text) ?? knownParts.whole(text);
    if (same !== undefined) return same;
    const secret = { kind, text };
    all.set(text, secret);
    knownParts.add(secret);
    return secret;
  };
  const byForm = (source: string, onFound: (secret: Secret) => void): string => {
    const mask = (kind: string, text: string): string => {
      const secret = take(kind, text);
      onFound(secret);
      return `[redacted ${secret.kind}]`;
    };
    let text = replacePrivateKeys(source, (key) => mask('private key', key));
    for (const { kind, form, isOne } of forms)
      text = text.replace(form, (key) => (isOne?.(key) === false ? key : mask(kind, key)));
    text = replaceValues(text, mask);
    for (const { kind, form, isOne } of [...named, ...passwords])
      text = text.replace(form, (all: string, before: string, key: string) =>
        isOne?.(key) === false ? all : before + mask(kind, key),
      );
    return text.replace(cookies, (line) =>
      line.replace(/(?<==)[^;\s=]{8,}/g, (value) => (isKey(value) ? mask('cookie', value) : value)),
    );
  };
  const onHidden = (secret: Secret): void => void hidden.add(secret);
  return {
    learn: (text) => void byForm(text, () => undefined),
    hide: (source) =>
      byForm(source, onHidden)
        .split(masks)
        .map((text, index) => (index % 2 === 1 ? text : knownParts.without(text, onHidden)))
        .join(''),
    found() {
      const kinds = new Map<string, number>();
      for (const { kind } of hidden) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      return [...kinds].map(([kind, count]) => ({ kind, count }));
    },
  };
}

/** Takes nothing out. */
export const noSecrets: Secrets = {
  learn: () => undefined,
  hide: (text) => text,
  found: () => [],
};

/** A value without key-like strings: of its members each text but the keys. */
export function hideIn<T>(value: T, secrets: Secrets): T {
  if (typeof value === 'string') return secrets.hide(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => hideIn(one, secrets)) as T;
  const members = Object.entries(value).map(([name, one]) => [
    name,
    hideIn(one as unknown, secrets),
  ]);
  return Object.fromEntries(members) as T;
}

/** A value as JSON without key-like strings, by the names of its members, too. */
export function hideInJson(value: unknown, secrets: Secrets): string {
  const plain = toExchange(hideIn(value, secrets));
  const text = secrets.hide(plain);
  try {
    JSON.parse(text);
    return text;
  } catch {
    // What was taken out had a part of the notation in it. What a name showed to be a key is known by now.
    return toExchange(hideIn(value, secrets));
  }
}

/** Learns the keys of each text of a value. */
export function learnIn(value: unknown, secrets: Secrets): void {
  if (typeof value === 'string') secrets.learn(value);
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) learnIn(one, secrets);
}
