import { expect, test } from 'vitest';
import {
  isTelling,
  newGrounding,
  withoutInvented,
  type Grounding,
} from '../../../src/core/lines/grounding.ts';

/** A record of work, as a summarizer is given it. */
const record = [
  'Users are logged out after a minute. Keep the public API as it is, and no new dependencies.',
  'I will look at how tokens are checked.',
  '{"path":"src/auth/session.ts"}',
  `export class SessionStore {
  refresh(token: string): Session | null {
    const expiry = this.clock.now() + this.ttl;
    return isExpired(token, expiry) ? null : this.sessions.get(token) ?? null;
  }
}`,
  'The guard in `isExpired` compares seconds with milliseconds: ttl is 900 seconds, the clock gives milliseconds.',
  '{"path":"src/auth/session.ts","oldText":"this.ttl","newText":"this.ttl * 1_000"}',
  'Edited src/auth/session.ts',
  '{"command":"npm test -- test/auth/session.test.ts"}',
  'FAIL test/auth/session.test.ts\\n  AssertionError: expected null to be Session\\n  at session.test.ts:61\\nTests 1 failed | 38 passed (39) in 4,213 ms',
  'One test still mocks the clock in seconds. I change the mock instead of the code.',
  '{"path":"test/auth/session.test.ts","oldText":"now: () => 60","newText":"now: () => 60_000"}',
  'Tests 39 passed (39)',
  'No, leave TokenCache alone, we delete it next week anyway.',
  '[fix/session-ttl 4f1c2ab9d0] Compare milliseconds with milliseconds in isExpired\\n 2 files changed',
  'A session now ends after 15 minutes. What cleans up old sessions is still an open question.',
];

const honest = `Decided: ttl is multiplied by 1,000 rather than the clock changed (e5, e6)
Decided: the mock of the clock is corrected, not the code under test (e10)
Decided: TokenCache stays untouched, since it goes next week (e13)
Decided: no new dependencies, and the public API does not change (e1)
Found: logged out after a minute because seconds were compared with milliseconds (e5)
Found: \`isExpired\` got a ttl of 900 seconds while the clock gives milliseconds (e5)
Found: \`SessionStore.refresh\` returns null for an expired token (e4)
Found: sessions are looked up by token in the store (e4)
Found: expiry is the clock's now plus the ttl (e4)
Changed: src/auth/session.ts: \`this.ttl * 1_000\` in place of \`this.ttl\` (e6, e7)
Changed: test/auth/session.test.ts: the mock's \`now\` gives 60_000 (e11)
Changed: session.ts and session.test.ts, two files, committed (e14)
Failed: \`npm test -- test/auth/session.test.ts\`: AssertionError: expected null to be Session; cured by the mock (e8–e12)
Failed: 1 of 39 tests, at session.test.ts:61 (e9)
Found: all 39 tests pass after the mock was changed (e12)
Open: what becomes of cleaning up old sessions (e15)
Committed as 4f1c2ab on fix/session-ttl (e14)
The commit compares milliseconds with milliseconds (e14)
The person wants the API kept (e1)
Tests took 4213 ms (e9)
Session expiry is now 15 minutes (e15)
The test mocked the clock in seconds
CORRECT #2: the guard in isExpired was at fault, not the store
DONE #1: users stay logged in for 900 seconds
It works.
Users: logged out after one minute, mended in \`isExpired\`
\`src/auth/{session}.ts\` is the only source file that changed
The ttl of \`Session\` objects is kept in seconds, \`isExpired\` converts it
One failing test was left after the first edit, and none after the second
Next: delete the token cache, which is planned for next week`.split('\n');

const invented = `Changed: src/billing/invoice.ts: totals are rounded up (e6)
Changed: src/auth/token-cache.ts: entries expire after an hour (e6)
Changed: lib/session_store.py: uses Redis (e4)
Changed: package.json: adds jsonwebtoken 9.0.2 (e4)
Changed: docker-compose.yml: a Postgres service (e7)
Changed: migrations/0042_add_sessions.sql: new table (e11)
Changed: src/auth/session.ts: new method rotateRefreshToken (e6)
Changed: src/auth/session.ts: \`SESSION_SECRET\` is read from the environment (e6)
Decided: PostgreSQL replaces SQLite, for concurrent writers (e5)
Decided: JWTs are signed with RS256 and stored in httpOnly cookies (e3)
Decided: the team agreed to rewrite billing in Rust by March (e13)
Decided: rate limiting goes into nginx rather than the application (e5)
Decided: feature flags are managed through LaunchDarkly (e1)
Decided: customers on the enterprise plan get priority support (e1)
Decided: everything moves to a monorepo with shared build caching (e13)
Found: memory grows by 240 MB an hour under load (e9)
Found: the race is in ConnectionPool.acquireLock (e5)
Found: \`verifySignature\` swallows the InvalidKeyError (e5)
Found: production runs Kubernetes 1.29 with three replicas (e5)
Found: https://auth.example.com/oauth/token answers with 502 (e9)
Found: latency at the 99th percentile is 1840 ms (e9)
Found: the vendor deprecated its payment endpoint last quarter (e5)
Failed: \`cargo build\` with error[E0308]: mismatched types (e9)
Failed: TypeError: Cannot read properties of undefined (reading 'userId') (e9)
Failed: the deployment pipeline timed out waiting for approval (e9)
Failed: ECONNREFUSED 127.0.0.1:6379 while connecting to Redis (e9)
Failed: terraform apply, for lack of an AWS role (e9)
Open: who owns the marketing newsletter and its translation (e15)
Open: whether GraphQL subscriptions scale beyond 5000 clients (e15)
Open: migrating customer avatars to an object storage bucket (e15)
Committed as deadbee7 on release/2.4.0 (e14)
The accessibility audit found contrast problems on the checkout page
Alice approved the budget for a second datacenter in Frankfurt`.split('\n');

const groundingIn = (texts: Iterable<string>): Grounding => {
  const found = newGrounding();
  for (const text of texts) found.add(text);
  return found;
};

const grounding = groundingIn(record);
const judged = (lines: readonly string[]): readonly string[] =>
  withoutInvented(lines.map((line) => `- ${line}`).join('\n'), grounding).invented;

test('of thirty honest lines, in other words than the record, none is left out', () => {
  expect(honest).toHaveLength(30);
  expect(judged(honest)).toEqual([]);
});

test('of 33 lines that name or say what is in no record, at least 31 are left out', () => {
  expect(invented).toHaveLength(33);
  expect(judged([...honest, ...invented]).length).toBeGreaterThanOrEqual(31);
});

test('the lines that are borne out stay byte for byte', () => {
  const text = honest.map((line) => `- ${line}`).join('\n');
  expect(withoutInvented(text, grounding)).toEqual({ text, invented: [] });
  expect(withoutInvented(`${text}\n- ${invented[0]!}`, grounding)).toEqual({
    text,
    invented: [`- ${invented[0]!}`],
  });
});

test.each([
  '- Entschieden: die ttl wird mit 1000 malgenommen, statt die Uhr zu ändern (e5)\n- Offen: das Wegräumen alter Anmeldungen',
  '- 决定：把 ttl 乘以 1000，而不是修改时钟 (e5)\n- `isExpired` 比较毫秒和毫秒',
])('a summary in another language is judged by its names alone: %s', (text) => {
  expect(withoutInvented(text, grounding).invented).toEqual([]);
  const line = '- src/billing/invoice.ts';
  expect(withoutInvented(`${text}\n${line}`, grounding).invented).toEqual([line]);
});

test('a long record is read in time', () => {
  const long = [`${'a.b/'.repeat(50_000)} ${'\\n'.repeat(50_000)} ${'1,'.repeat(50_000)}`];
  const lines = `- ${'x-'.repeat(50_000)}\n- ${'1,000'.repeat(9_999)}`;
  expect(withoutInvented(lines, groundingIn(long)).text).toContain('x-x');
});

const small = groundingIn([
  'The pool of sockets is drained at the end of each run, so that no lock is held. See src/pool.ts and drainPool, error E1042, 4f1c2ab9d0e1, 2042, größer.',
]);

test.each([
  ['the pool of sockets is drained at the end', false],
  ['the pool of turtles is washed at the beach', true],
  ['the pool is wet', false],
  ['turtles washed beaches quietly', false],
  ['the turtles washed the beaches quietly', true],
  ['the pool of a turtle on the lock', false],
  ['src/pool.ts', false],
  ['src/other.ts', true],
  ['the drainPool of the pool', false],
  ['the fillPool of the pool', true],
  ['Pool.drain of it', false],
  ['drainPool and PoolLock of it', false],
  ['pool/… of it', false],
  ['pool/socke... of it', true],
  ['pool/socke of it', true],
  ['at 2042 of it', false],
  ['at 2,042 of it', false],
  ['at 2_042 of it', false],
  ['at 20,42 of it', false],
  ['at 9999 of it', true],
  ['at 999 of it', false],
  ['4f1c2ab of it', false],
  ['4f1c2ac of it', true],
  ['4f1c2 of it', false],
  ['error[E0042] of it', true],
  ['TypeError of it', true],
  ['https://x.yz/abc of it', true],
  ['AB12 of it', true],
  ['Found: e9 of a person, users, agents', false],
  ['größer of it', false],
  ['CORRECT #2: the pool of the lock', false],
])('whether “%s” is borne out by nothing: %s', (line, is) => {
  expect(withoutInvented(`- ${line}`, small).invented).toEqual(is ? [`- ${line}`] : []);
});

/** A grounding in records whose entries are e1 and e2. */
const recordOf = (texts: readonly string[]): Grounding => {
  const found = newGrounding();
  for (const text of texts) found.addRecord(text);
  for (const id of ['e1', 'e2']) found.add(id);
  return found;
};

const work = recordOf(record);
const login = recordOf([
  'The login fails with ERR_TOKEN_EXPIRED, see src/auth/login.ts, src/auth/token.ts and refreshToken().',
  'Fixed: loginUser() asks for a new token.',
]);
const german = recordOf([
  'Ich habe dabei src/auth/session.ts und src/pool.ts geändert; leider kann ich nicht sagen, wem das helfen soll.',
  'Die Prüfung läuft: test/auth/session.test.ts und drainPool.',
]);
const talk = recordOf([
  'How was your day?',
  'It was fine. I cannot help it.',
  'I am sorry to hear that.',
]);

test.each([
  ['I cannot help with that.', work, false],
  ['I’m sorry, but I can’t summarize that.', work, false],
  ['Summary:\nI am sorry, I cannot help with that.', work, false],
  ['Summary:\nI am sorry, I cannot help with that.', talk, false],
  [
    'Unfortunately src/auth/login.ts still fails with ERR_TOKEN_EXPIRED; refreshToken() was changed.',
    login,
    true,
  ],
  ['I cannot write to src/auth/login.ts: it is read-only, so refreshToken() stays.', login, true],
  ['done: Login bug fixed', login, true],
  ['Die Anmeldung wurde repariert, alle Tests laufen wieder durch.', login, true],
  ['ログインの不具合を修正し、テストはすべて成功した。', login, true],
  ['I cannot help with that.', login, false],
  ['As an AI, I have no access to the session, the clock, the mock or the tests.', work, false],
  ['Ich kann dabei leider nicht helfen.', work, false],
  ['Ich kann dabei leider nicht helfen.', german, false],
  ['I am sorry to say: the mock of the clock was wrong (e1)', work, true],
  ['Decided: we use Postgres for the storage (e1)', work, false],
  ['Entschieden: wir nutzen Postgres (e1)\nGefunden: die Messung steht', work, false],
  ['Entschieden: wir nutzen Postgres (e1)\nGefunden: die Messung steht', german, true],
  ['Entschieden: die Uhr bleibt, wie sie ist (e1, e2)', work, true],
  ['Entschieden: die Uhr bleibt, wie sie ist (e1, e9)', work, false],
  ['Gefunden: `isExpired` verwechselt die Einheiten', work, true],
  ['决定：修改 isExpired', work, true],
  ['The clock is mocked in seconds', work, true],
  ['The clock is mocked', work, false],
  ['The clock is mocked (e1)', work, true],
  ['Yes and/or no', work, false],
  ['It works.', talk, true],
  ['They talked about the weather', talk, true],
  ['I cannot help with that.', talk, false],
])('whether “%s” tells of its record: %#', (summary, of, is) => {
  expect(isTelling(summary, of)).toBe(is);
});

test.each([
  ['ab cd', ['ab', 'cd']],
  ['AB abc abcd a', ['ab', 'abc']],
  ['ab. /cd ef/ (gh) ij', ['gh', 'ij']],
  ['ab_ $cd `ef` #gh @ij k-l', []],
  ['äb öß', ['äb', 'öß']],
  [
    'ab\u0370\u2000\u2c00\u3000\u3040\ud800\uf900\ufe00',
    ['\u0370', 'ab', '\u2c00', '\u3040', '\uf900'],
  ],
  ['\u2bff\u303f\u3041\uf8ff\ufdff中', ['\u3041', '\ufdff', '中']],
])('the short words of %j, which tell a language', (text, short) => {
  expect([...groundingIn([text]).short]).toEqual(short);
});
