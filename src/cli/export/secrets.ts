import { toExchange } from './exchange-json.ts';

// Sessions are full of what was printed by accident: an environment, a configuration, a header. Before a
// session is handed to somebody else, what looks like a key is taken out, by the forms that keys have, and by
// the names that stand before them. A key that was found once is known then, and found where it stands
// without its name, and where a line was cut within it.
//
//   log      API_KEY=sk-proj-Zk3…9Q        by its form, and by its name
//   prompt   - e18 the key is sk-proj-Zk…  by its beginning

/** How many different strings of a kind were taken out. */
export interface FoundSecrets {
  readonly kind: string;
  readonly count: number;
}

/** Takes key-like strings out of texts. */
export interface Secrets {
  /** Learns the keys of a whole text. */
  learn(text: string): void;
  /** A text without them. */
  hide(text: string): string;
  /** What was taken out so far, by kind. */
  found(): readonly FoundSecrets[];
}

/** Keys by their forms. */
const forms: readonly (readonly [kind: string, form: RegExp])[] = [
  [
    'private key',
    /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\w+/=\s\\:,.-]{0,20000}?(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|(?=[^\w+/=\s\\:,.-])|$)/g,
  ],
  ['AWS key', /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g],
  ['GitHub token', /\b(?:gh[opsur]_\w{36,255}|github_pat_\w{22,255})/g],
  ['GitLab token', /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[\w-]{20,}/g],
  ['Anthropic key', /\bsk-ant-[\w-]{20,}/g],
  ['OpenAI key', /\bsk-(?:(?:proj|svcacct|admin|or-v1)-)?[\w-]*\d[\w-]{18,}/g],
  ['Google key', /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,})/g],
  [
    'Slack token',
    /\b(?:xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,})|hooks\.slack\.com\/services\/[\w/]{20,}/g,
  ],
  ['Stripe key', /\b(?:[prs]k_(?:live|test)_\w{16,}|whsec_\w{24,})/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['PyPI token', /\bpypi-[\w-]{50,}/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{30,}/g],
  ['SendGrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/g],
  ['DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{64}\b/g],
  ['Telegram token', /\b\d{8,10}:AA[\w-]{33}/g],
  ['age key', /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g],
  ['JSON web token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g],
];

/** Keys by what stands before them; the last group is the key. */
const named: readonly (readonly [kind: string, form: RegExp])[] = [
  [
    'password',
    /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]{0,64}:([^\s@/"'<>$\\{}]{3,128})(?=@[\w[])/gi,
  ],
  ['authorization', /\b(?:Bearer|Basic) +([\w.~+/-]{16,}={0,2})/g],
  [
    'value of a secret',
    /(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|(?:access|private|signing|encryption)[_-]?key|credential)[\w-]{0,24}\\*["'`]?\s{0,3}(?:[:=]|=>|,)\s{0,3}\\*["'`]?([\w.~+/=!@#%^&*-]{8,512})(?![\w(.[])/gi,
  ],
];

/** Whether what stands behind a name is a key, and no word, number, path, or call of a program. */
function isKey(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || /^[./~]|\/.*\/.*\./.test(value))
    return false;
  if (/^\d{4}-\d\d-\d\d/.test(value)) return false;
  // A name has words; a key has letters and digits in no order.
  const changes = value.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return changes / value.length >= 0.15 || new Set(value).size >= 14;
}

/** Characters by which a key is known again: of its beginning, and of its end. */
const partLength = 12;

/** A key, and what it was taken for. */
interface Secret {
  readonly kind: string;
  readonly text: string;
}

/** A line of a key, and at which of its characters a part of it begins. */
interface Place {
  readonly line: string;
  readonly at: number;
  readonly of: Secret;
}

/** Where keys have the characters by which they are known, and by which two these may begin: most of a text begins none. */
interface KnownParts {
  readonly places: Map<string, Place[]>;
  readonly begin: Uint8Array;
}

/** Nothing found yet. */
export function newSecrets(): Secrets {
  const all = new Map<string, Secret>();
  const hidden = new Set<Secret>();
  const known: KnownParts = { places: new Map(), begin: new Uint8Array(0x10000) };
  const whole = (text: string): Secret | undefined =>
    [text.slice(0, partLength), text.slice(-partLength)]
      .flatMap((part) => known.places.get(part) ?? [])
      .find(({ line }) => line.includes(text))?.of;
  const take = (kind: string, text: string): Secret => {
    // One that is known, or the beginning or end of it, is none of its own.
    const same = all.get(text) ?? whole(text);
    if (same !== undefined) return same;
    const secret = { kind, text };
    all.set(text, secret);
    // Of a key of several lines each line is known.
    for (const line of text.split(/\s+|\\+[nr]/))
      if (line.length > partLength && isTelling(line))
        for (const at of [0, line.length - partLength]) {
          const part = line.slice(at, at + partLength);
          const places = known.places.get(part) ?? [];
          places.push({ line, at, of: secret });
          known.places.set(part, places);
          known.begin[beginOf(part, 0)] = 1;
        }
    return secret;
  };
  const byForm = (given: string, onFound: (secret: Secret) => void): string => {
    const mask = (kind: string, text: string): string => {
      const secret = take(kind, text);
      onFound(secret);
      return `[redacted ${secret.kind}]`;
    };
    let text = given;
    for (const [kind, form] of forms) text = text.replace(form, (secret) => mask(kind, secret));
    for (const [kind, form] of named)
      text = text.replace(form, (whole: string, secret: string) =>
        kind === 'value of a secret' && !isKey(secret)
          ? whole
          : whole.slice(0, whole.lastIndexOf(secret)) + mask(kind, secret),
      );
    return text;
  };
  const onHidden = (secret: Secret): void => void hidden.add(secret);
  return {
    learn: (text) => void byForm(text, () => undefined),
    hide(given) {
      return withoutParts(byForm(given, onHidden), known, onHidden);
    },
    found() {
      const kinds = new Map<string, number>();
      for (const { kind } of hidden) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      return [...kinds].map(([kind, count]) => ({ kind, count }));
    },
  };
}

/** Whether a line of a key is known by itself: the one that says what it is, as of a private key, is not. */
const isTelling = (line: string): boolean => /\d/.test(line) && /[A-Za-z]/.test(line);

/** A text without the stretches of keys around each place of a part of them. */
function withoutParts(text: string, known: KnownParts, onHidden: (secret: Secret) => void): string {
  let without = '';
  let from = 0;
  for (let at = 0; at + partLength <= text.length; at += 1) {
    if (known.begin[beginOf(text, at)] === 0) continue;
    const places = known.places.get(text.slice(at, at + partLength));
    if (places === undefined) continue;
    let [start, end] = [at, at + partLength];
    for (const { line, at: place, of } of places) {
      onHidden(of);
      let before = 0;
      while (at - before > from && line[place - before - 1] === text[at - before - 1]) before += 1;
      let after = partLength;
      while (at + after < text.length && line[place + after] === text[at + after]) after += 1;
      [start, end] = [Math.min(start, at - before), Math.max(end, at + after)];
    }
    without += `${text.slice(from, start)}[redacted]`;
    from = end;
    at = end - 1;
  }
  return without + text.slice(from);
}

/** The first two characters of a part, as a number below 65,536. */
const beginOf = (text: string, at: number): number =>
  (text.charCodeAt(at) * 251 + text.charCodeAt(at + 1)) & 0xffff;

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
    // What was taken out had a part of the notation in it.
    return plain;
  }
}
