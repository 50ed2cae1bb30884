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
  /** What was found so far, by kind. */
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
const known = 12;

/** Nothing found yet. */
export function newSecrets(): Secrets {
  const found = new Map<string, Set<string>>();
  /** Keys that are known, by their first characters and by their last ones. */
  const parts = new Map<string, Map<string, number>>();
  const know = (secret: string, at: number): void => {
    const part = secret.slice(at, at + known);
    parts.set(part, (parts.get(part) ?? new Map<string, number>()).set(secret, at));
  };
  const take = (kind: string, secret: string): string => {
    const those = found.get(kind) ?? new Set();
    found.set(kind, those);
    // A part of one that is known is none of its own.
    if (![...those].some((one) => one.includes(secret))) those.add(secret);
    // Of a key of several lines each line is known.
    for (const line of secret.split(/\s+|\\+[nr]/))
      if (line.length > known && isTelling(line)) {
        know(line, 0);
        know(line, line.length - known);
      }
    return `[redacted ${kind}]`;
  };
  const byForm = (text: string): string => {
    let hidden = text;
    for (const [kind, form] of forms) hidden = hidden.replace(form, (secret) => take(kind, secret));
    for (const [kind, form] of named)
      hidden = hidden.replace(form, (all: string, secret: string) =>
        kind === 'value of a secret' && !isKey(secret)
          ? all
          : all.slice(0, all.lastIndexOf(secret)) + take(kind, secret),
      );
    return hidden;
  };
  return {
    learn: (text) => void byForm(text),
    hide(text) {
      let hidden = byForm(text);
      for (const [part, secrets] of parts) hidden = withoutPart(hidden, part, secrets);
      return hidden;
    },
    found: () => [...found].map(([kind, those]) => ({ kind, count: those.size })),
  };
}

/** Whether a line of a key is known by itself: the one that says what it is, as of a private key, is not. */
const isTelling = (line: string): boolean => /\d/.test(line) && /[A-Za-z]/.test(line);

/** A text without the stretches of keys around each place of a part that these have, each at its place. */
function withoutPart(text: string, part: string, secrets: ReadonlyMap<string, number>): string {
  let hidden = '';
  let from = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, from)) {
    let [start, end] = [at, at + part.length];
    for (const [secret, place] of secrets) {
      let before = 0;
      while (at - before > from && secret[place - before - 1] === text[at - before - 1])
        before += 1;
      let after = part.length;
      while (at + after < text.length && secret[place + after] === text[at + after]) after += 1;
      [start, end] = [Math.min(start, at - before), Math.max(end, at + after)];
    }
    hidden += `${text.slice(from, start)}[redacted]`;
    from = end;
  }
  return hidden + text.slice(from);
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
