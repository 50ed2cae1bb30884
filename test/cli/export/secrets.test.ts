import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hideIn, newSecrets, noSecrets } from '../../../src/cli/export/secrets.ts';

/** Letters and digits in no order, put together so that no file of ours looks like it holds a key. */
const odd = (length: number, seed = 7): string => {
  const letters = 'aB3cD4eF5gH6iJ7kL8mN9oP0qR1sT2uV';
  let [text, state] = ['', seed];
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += letters[(state >> 8) % letters.length];
  }
  return text;
};
const key = (before: string, length: number): string => `${before}${odd(length)}`;

const pem = [
  '-----BEGIN RSA PRIVATE KEY-----',
  odd(64),
  odd(64, 8),
  odd(30, 9),
  '-----END RSA PRIVATE KEY-----',
].join('\n');

test.each<[kind: string, secret: string]>([
  ['AWS key', `AKIA${odd(16).toUpperCase()}`],
  ['GitHub token', key('ghp_', 36)],
  ['GitHub token', key('github_pat_', 60)],
  ['GitLab token', key('glpat-', 20)],
  ['Anthropic key', key('sk-ant-api03-', 90)],
  ['OpenAI key', key('sk-proj-', 60)],
  ['OpenAI key', key('sk-', 48)],
  ['Google key', key('AIza', 35)],
  ['Slack token', key('xoxb-1234-', 24)],
  ['Stripe key', key('sk_live_', 24)],
  ['npm token', key('npm_', 36)],
  ['PyPI token', key('pypi-', 80)],
  ['Hugging Face token', key('hf_', 34)],
  ['SendGrid key', `SG.${odd(22)}.${odd(43)}`],
  ['Telegram token', `123456789:AA${odd(33)}`],
  ['JSON web token', `eyJ${odd(20)}.eyJ${odd(40)}.${odd(30)}`],
  ['private key', pem],
  ['private key', JSON.stringify(pem).slice(1, -1)],
])('a %s is known by its form', (kind, secret) => {
  const secrets = newSecrets();
  expect(secrets.hide(`it is ${secret}, and no more`)).toBe(
    `it is [redacted ${kind}], and no more`,
  );
  expect(secrets.found()).toEqual([{ kind, count: 1 }]);
});

test.each<[text: string, hidden: string]>([
  [`API_KEY=${odd(24)}`, 'API_KEY=[redacted value of a secret]'],
  [`{"clientSecret": "${odd(24)}"}`, '{"clientSecret": "[redacted value of a secret]"}'],
  [
    `{\\"db_password\\":\\"${odd(12)}\\"}`,
    '{\\"db_password\\":\\"[redacted value of a secret]\\"}',
  ],
  [`export DB_PASSWORD='${odd(16)}'`, "export DB_PASSWORD='[redacted value of a secret]'"],
  ['postgres://ada:blue-horse@db:5432/x', 'postgres://ada:[redacted password]@db:5432/x'],
  [`Authorization: Bearer ${odd(32)}`, 'Authorization: Bearer [redacted authorization]'],
])('a key is known by what stands before it: %s', (text, hidden) => {
  expect(newSecrets().hide(text)).toBe(hidden);
});

test.each([
  'const apiKey = process.env.OPENAI_API_KEY;',
  'token: string; tokens: 16384, maxTokens = 200_000',
  'password: req.body.password, secret = readSecret(file2)',
  'const token = await nextToken2(stream);',
  'apiKey: "your-api-key", token: "<token>", password=${PASSWORD}',
  'import { tokenizer } from "./src/tokenizer/token-stream2.ts";',
  'sk-learn and sk-this-is-a-long-name-without-digits',
  'http://127.0.0.1:4310/path and git@github.com:a/b.git',
  'https://a.example/x:y@z, e57, f3, c2, 2026-03-02T09:17',
  'token_count=2026-03-02T09:17:00',
  'Bearer tokens are sent in the header',
])('what is no key stays: %s', (text) => {
  expect(newSecrets().hide(text)).toBe(text);
});

test('a key that is known is found without its name, and where a line was cut within it', () => {
  const secret = odd(40);
  const secrets = newSecrets();
  secrets.learn(`SERVICE_TOKEN=${secret}`);
  expect(secrets.hide(`call it with ${secret}!`)).toBe('call it with [redacted]!');
  fc.assert(
    fc.property(fc.nat(28), fc.nat(28), fc.string(), (from, less, around) => {
      const cut = from % 2 === 0 ? secret.slice(0, 40 - less) : secret.slice(less);
      const hidden = secrets.hide(`${around}${cut}… ${around}`);
      for (let at = 0; at + 12 <= 40; at += 1)
        expect(hidden).not.toContain(secret.slice(at, at + 12));
    }),
  );
});

test('two keys that begin alike are both taken out whole', () => {
  const [one, other] = [key('sk-ant-api03-', 40), `sk-ant-api03-${odd(40, 99)}`];
  const secrets = newSecrets();
  secrets.learn(`${one} ${other}`);
  expect(secrets.hide(`${one.slice(0, 24)}… ${other.slice(0, 24)}…`)).toBe(
    '[redacted]… [redacted]…',
  );
  expect(secrets.hide(one.slice(0, 40))).toBe('[redacted Anthropic key]');
  expect(secrets.found()).toEqual([{ kind: 'Anthropic key', count: 2 }]);
});

test('thousands of keys are taken out of a long text in a moment', () => {
  const keys = Array.from({ length: 5_000 }, (_, n) => `ghp_${n}x${odd(34, n + 1)}`);
  const secrets = newSecrets();
  secrets.learn(keys.join('\n'));
  const began = performance.now();
  const hidden = secrets.hide(
    keys.map((one) => `said ${one.slice(0, 30)}… and no more`).join('\n'),
  );
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(hidden).not.toContain('ghp_');
  expect(secrets.found()).toEqual([{ kind: 'GitHub token', count: 5_000 }]);
});

test('of a value each text is read, and nothing where nothing is to be taken out', () => {
  const secret = key('ghp_', 36);
  const value = { a: [secret, 1, null], b: { c: `x ${secret}` }, n: true };
  expect(hideIn(value, newSecrets())).toEqual({
    a: ['[redacted GitHub token]', 1, null],
    b: { c: 'x [redacted GitHub token]' },
    n: true,
  });
  expect(hideIn(value, noSecrets)).toEqual(value);
});
