import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expressionsIn, growthOfExpression } from '../../../tools/bounds/expressions.ts';
import { hideIn, hideInJson, newSecrets, noSecrets } from '../../../src/cli/secrets/secrets.ts';

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
  ['xAI key', key('xai-', 80)],
  ['Groq key', key('gsk_', 52)],
  ['Vault token', key('hvs.', 90)],
  ['Linear key', key('lin_api_', 40)],
  ['Shopify token', `shpat_${'0a1b2c3d'.repeat(4)}`],
  ['Grafana token', `${key('glsa_', 32)}_0a1b2c3d`],
  ['Notion token', key('ntn_', 46)],
  ['Notion token', key('secret_', 43)],
  ['Figma token', key('figd_', 40)],
  ['Replicate token', key('r8_', 37)],
  ['Perplexity key', key('pplx-', 48)],
  ['New Relic key', key('NRAK-', 27).toUpperCase()],
  ['Doppler token', key('dp.pt.', 43)],
  ['Atlassian token', `${key('ATATT3x', 170)}=0A1B2C3D`],
  ['Heroku key', 'HRKU-550e8400-e29b-41d4-a716-446655440000'],
  ['Discord webhook', key('discord.com/api/webhooks/123456789012345678/', 68)],
  ['Slack token', key('hooks.slack.com/workflows/T0AB/A0AB/1234/', 24)],
  ['private key', pem],
  ['private key', pem.replaceAll('\n', '\n   12→')],
  ['private key', pem.replaceAll('\n', '\n     3\t')],
  ['private key', pem.replaceAll('\n', '\n  | ')],
  ['private key', pem.replaceAll('\n', '\\n" +\n  "')],
  ['private key', pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n')],
  ['private key', JSON.stringify(pem).slice(1, -1)],
  ['private key', '-----BEGIN RSA PRIVATE KEY----- MIIEowIBAAKCAQEA -----END RSA PRIVATE KEY-----'],
  ['private key', `-----BEGIN OPENSSH PRIVATE KEY----- ${odd(70)} ${odd(40, 8)} QyNTUxOQAAACD`],
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
  ...[
    ['authorization: bearer ', 'authorization'],
    ['Authorization: token ', 'authorization'],
    ['"Authorization": "', 'authorization'],
    ['--api-key ', 'value of a secret'],
    ['--token ', 'value of a secret'],
    ['--password ', 'value of a secret'],
    ['curl -u ada:', 'password'],
    ['AccountName=x;AccountKey=', 'value of a secret'],
    ['https://a.example/x?se=1&sig=', 'value of a secret'],
    ['https://a.example/x?key=', 'value of a secret'],
    ['https://a.example/x?a=1&key=', 'value of a secret'],
    ['https://a.example/x#access_token=', 'value of a secret'],
    ['DB_PASS=', 'value of a secret'],
    ['MYSQL_PWD=', 'value of a secret'],
    ['X_KEY=', 'value of a secret'],
    ['APP_KEY=base64:', 'value of a secret'],
    ['//registry.example/:_auth=', 'value of a secret'],
    ['//registry.example/:_authToken=', 'value of a secret'],
    ['"auth": "', 'value of a secret'],
    ['token := "', 'value of a secret'],
    ['apiKey: string = "', 'value of a secret'],
    ['Cookie: theme=dark; sid=', 'cookie'],
    ['Set-Cookie: sid=', 'cookie'],
  ].map(([before, kind]): [string, string] => [
    `${before}${odd(40)}`,
    `${before}[redacted ${kind}]`,
  ]),
])('a key is known by what stands before it: %s', (text, hidden) => {
  expect(newSecrets().hide(text)).toBe(hidden);
});

test.each([
  'import --password letmein',
  'import --password=letmein -v',
  `psql --db-password "letmein"`,
  `gpg --passphrase 'letmein'`,
  'mysql -h db -u root -pletmein shop',
  'mysqldump -u ada -p letmein shop | gzip',
  'mongosh "mongodb://db" -u ada -p letmein',
  'sshpass -p letmein ssh ada@db',
  'docker login -u ada -p letmein registry.example',
  'redis-cli -h db -a letmein ping',
  'curl -s -u ada:letmein https://a.example',
  'PASSWORD=letmein',
  'export MYSQL_ROOT_PASSWORD=letmein',
  'PGPASSWORD=letmein psql -h db',
  'docker run -e "MYSQL_PWD=letmein" mysql',
  'spring.datasource.password=letmein',
  'Server=db;User=sa;Password=letmein;',
  'host=db password=letmein dbname=shop',
  'password: letmein',
  '  db_password: letmein  # here only',
  '    12→  password: letmein\n    13→  port: 1',
  '+  password: letmein\r\n-  port: 1',
  'Enter the password: letmein',
  'password = letmein',
  '"password": "letmein",',
  `{ user: 'ada', password: 'letmein' }`,
  String.raw`{\"password\":\"letmein\"}`,
  'password := "letmein"',
  '<password>letmein</password>',
])('a password without a digit is known by what stands before it: %s', (text) => {
  expect(newSecrets().hide(text)).toBe(text.replace('letmein', '[redacted password]'));
});

test.each<[before: string, secret: string, behind?: string]>([
  ['postgres://ada:', 'p@ssW0rd9x', '@db.example.com/app'],
  ['postgres://ada:', 'Ab3/Xy9Zq7', '@db.example.com/app'],
  ['postgres://ada:', 'p@ss/W0rd9', '@db.example.com/app'],
  ['postgres://ada:', 'Ab3$Xy9Zq7', '@db.example.com/app'],
  ['postgres://ada:', 'x{9K}q2mZ', '@db/app?mail=a@b.example'],
  ['redis://default:', 'x9/K2==', '@h:6379'],
  ['https://ada:', 's3cretPass1@', '@host/x'],
  ['git+https://ada:', 'tok3nAbc9', '@github.com/org/repo.git@main'],
  ['https://', odd(36), '@github.com/a/b.git'],
  ['https://', odd(36), ':x-oauth-basic@github.com/a'],
  ['DISCORD_TOKEN=', `${odd(24)}.GabcDE.${odd(28, 9)}`],
  ['API_KEY=', 'abcDEF.ghiJKL.mnoPQR1'],
  ['DB_PASSWORD=', 'Xq7!;mZ9&k2'],
  ['DB_PASSWORD=', 'let;me&in'],
  ['DB_PASSWORD=', 'x9"Kq2mZ'],
  ['PASSWORD=', '(x9Kq2mZ)'],
  ['SECRET_KEY=', 'k3(j9x&q2m)z8v^b4n*l7p'],
  ['password: ', 'Xq7!;mZ9&k2', '\nport: 1'],
  ['DB_PASSWORD="', 'Tr0ub4dor 9xQz', '"'],
  ['PASSPHRASE="', 'correct horse battery staple', '"'],
  ['SECRET_KEY = "', 'django-insecure-k3(j9x&q2m)z8v^b4n*l7p', '"'],
  ['DB_PASSWORD=', 'x9K)m4Vt8pL3', '\nPORT=1'],
  ['PORT=1\nexport SECRET_KEY=', 'a1s2d3)w2m8vp4r6t1y5'],
  ['DB_PASSWORD=', 'ab1,pass9:q7vT4', ')'],
  ['DB_PASSWORD=', 'ab9;x2=Zk3mX9q', '; npm start'],
  ['os.environ["API_KEY"] = "', odd(16), '"'],
  ["process.env['DB_PASSWORD'] = '", 'letmein', "'"],
  ["CREATE USER ada IDENTIFIED BY '", 's3cretPW!', "';"],
  ["ALTER USER 'ada'@'%' IDENTIFIED WITH caching_sha2_password BY '", 'letmein', "';"],
  ["PASSWORD='", 'get(9x2Zq7mV', "'"],
  ["define('DB_PASSWORD', '", 'x9K{q2}m;Z', "');"],
  ['password: "', String.raw`Ab\"9xQzK7`, '"'],
  ['password: "', String.raw`let\"mein`, '"'],
  ['password: "', String.raw`Ab9xQzK7\\`, '", user: "x"'],
  [String.raw`{\"password\":\"`, String.raw`Ab\\\"9xQzK7`, String.raw`\",\"b\":1}`],
  ['AWS_SECRET_ACCESS_KEY=', `/${odd(20)}/${odd(18, 9)}`],
  ['Server=db;Password=', 'Ab3,x9Q', ';Database=y'],
  ['machine github.com login ada password ', 'letmein'],
  ['machine github.com\n  login ada\n  password ', odd(12), '\n'],
  ['db.example.com:5432:app:ada:', 'letmein', '\n'],
  ['echo ', 'letmein', ' | docker login -u ada --password-stdin'],
  ['<user password="', 'Ab3 9xQz', '" />'],
  ['<property name="password" value="', 'letmein', '" />'],
])('a secret goes whole, whatever it is made of: %s%s', (before, secret, behind = '') => {
  const hidden = newSecrets().hide(`${before}${secret}${behind}`);
  expect(hidden.replace(/\[redacted [a-z ]+\]/, '*')).toBe(`${before}*${behind}`);
});

test('a secret key of Django goes, whatever signs are in it', () => {
  const signs = 'abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)';
  const unit = fc.constantFrom(...signs.split(''));
  const strewn = fc.noBias(fc.string({ unit, minLength: 50, maxLength: 50 }));
  fc.assert(
    fc.property(strewn, (letters) => {
      fc.pre(/\d/.test(letters));
      expect(newSecrets().hide(`SECRET_KEY = 'django-insecure-${letters}'`)).toBe(
        "SECRET_KEY = '[redacted value of a secret]'",
      );
    }),
    { numRuns: 5_000, seed: 7 },
  );
});

test('a value whose closing quote was cut away goes to the end of its word', () => {
  expect(newSecrets().hide(`token: "${odd(30)} and`)).toBe(
    'token: "[redacted value of a secret] and',
  );
});

test.each([
  'postgres://ada:$PASS@db/x, postgres://ada:${PASS2}@db/x, postgres://{user}:{password}@{host}/x',
  'postgres://ada:<password>@db, postgres://ada:%DB_PASS%@db, https://firstname.lastname@host/x',
  'http://localhost:4873/@types/node20, https://a.example:8443/x2/@scope/pkg, https://a.example/@ada2/x9-y',
  'password = hashPassword2(x)\npassword = await hash2(x1, y2)\ntoken = tokens[i2].text;',
  'PASSWORD=$(cat /run/secrets/x2) PASSWORD=${DB_PASSWORD2:-x} PASSWORD=<password2>',
  'DB_PASSWORD=process.env.DB_PASSWORD2\npassword: this.config.apiKeyV2,\nSECRET_KEY = os.environ["SECRET_KEY2"]',
  'token: Map<string, Token2>, password: Array<Pass2Word3>; token?: Promise<string2>',
  'const token = user2?.tokenV2 ?? next2;',
  'password: "hashed with sha256 and base64", password: "Use at least 8 letters, e.g. 2 digits"',
  'password: "Minimum eight characters long", PASSWORD="your password 2 here"',
  '"token_url": "https://a.example/oauth2/token", secret: "see docs/x2.md and src/y2.ts", secret: "keep this between friends"',
  'token: `Bearer ${token2}`, "password=" + pw2x + "&x"',
  `'?password='+pw2x+'&y', password: t('errors.password2')`,
  '$password = $row["password2"]; password => $request->password2,',
  `scrypt(password, 'salt', 24), typeof password === 'function', the \`password\`, \`salt\` and more`,
  'exports.gcpIDTokenProvider = exports.rememberX509Credential = provider_1.SubjectX509TokenOAuthError;',
  "IDENTIFIED BY 'password', row['token'] = next2, values[token] = tokens[i2]",
  '    password=read2(x9), token=tokens[i2], \nTOKEN=$(cat x2), TOKEN=read2(x)',
  'machine learning: the default password is x9, app.ts:1204:12: error TS2304, echo hello2 | grep x',
])('what a program writes where a secret may stand stays: %s', (text) => {
  expect(newSecrets().hide(text)).toBe(text);
});

test.each([
  'const apiKey = process.env.OPENAI_API_KEY;',
  'the --password option, --password <file>, --password $PASSWORD, --password=${PW}, --password-stdin',
  'use --password to be asked, --password-file ./pass.txt and --passphrase with care',
  'mysql -u root -p, mysql -u root -p < dump.sql',
  'docker run -p 8080:80 mysql and redis-cli -p 6379 -h cache',
  'PASSWORD=$PASSWORD PASSWORD=*** DB_PASSWORD=xxxxxx',
  'PASSWORD=<password> PASSWORD=your-password PASSWORD=changeme',
  'PASSWORD={{ vault }} PASSWORD=%DB_PASSWORD% PASSWORD=/run/secrets/db',
  'password: argon2id\npassword: unchanged\npassword: verified\npassword: bcrypt-hashed',
  'password: validated, tokenizer: "cl100k_base", tokenization: "cl100kx_base9"',
  'PASSWORD_MIN_LENGTH=eight, passwords: many',
  'const PASSWORD = process.env.PASSWORD;',
  'password: string\npassword: String!\npassword: String?\npassword: SecretStr\npassword: str',
  'password: z.string().min(8),\n  password: req.body.password\n  password: hashedPassword\n  password',
  'password: Optional[str] = None\npassword: {{ db_password }}\npassword: !vault |',
  'password = getPassword()\npassword = input("x")\nuser, password = split',
  'connect(host=h, password=word), connect(password=read(x))',
  '"password": "string", "password": "Password", password: "required", password: ""',
  `password: "Enter your password", type: 'password', autocomplete="current-password"`,
  `password: '[hidden]', password: '***', password: '$PW'`,
  'password: must be at least 8 letters\nReset password: done\nThe password is wrong.',
  '<password>${env.PW}</password> <input type="password" name="password">',
  'password=%s password=:password password=None',
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
  'tokens: 1,234, 18,002 tokens, token 12 of 16384',
  'commit e0238539bf1c4a2d9e6f7a8b9c0d1e2f3a4b5c6d, id 550e8400-e29b-41d4-a716-446655440000',
  'PRIMARY_KEY=id, CACHE_KEY=session-cache, SORT_KEY: created_at, PWD=/home/ada/src2/x',
  'date -u +%Y-%m-%dT%H:%M:%S and docker run -u 1000:1000 --user app:staff',
  'the --token option, --password <file>, --api-key $KEY2, --key-file ./a/key1.pem',
  'if (text.includes("-----BEGIN PRIVATE KEY-----")) return text.split("-----END PRIVATE KEY-----");',
  'Authorization: required, "auth": "none", the cookie: it is eaten, key=value&key=other',
])('what is no key stays: %s', (text) => {
  expect(newSecrets().hide(text)).toBe(text);
});

test.each([
  `AKIA${odd(16).toUpperCase()}`,
  key('ghp_', 36),
  key('sk-ant-', 60),
  `eyJ${odd(20)}.eyJ${odd(40)}.${odd(30)}`,
])('a key is found behind an escape, a color and another word: %s', (secret) => {
  for (const before of ['\\n', '\\n\\t', '\\r\\n', '\\\\n', '\u001b[32m', '\\u001b[1;32m', 'id: '])
    expect(newSecrets().hide(`it is${before}${secret}`)).not.toContain(secret.slice(3));
  if (!secret.startsWith('eyJ'))
    expect(newSecrets().hide(`id_${secret}`)).toMatch(/^id_\[redacted/);
});

test('a private key that was cut is hidden as far as it goes', () => {
  const cut = pem.slice(0, pem.indexOf('-----END') - 10).replaceAll('\n', '\n 7→');
  expect(newSecrets().hide(`${cut}\n 8→and then words`)).toBe(
    '[redacted private key]\n 8→and then words',
  );
});

test('a key in two lines goes whole, and what stands below a key stays', () => {
  const [one, rest] = [`sk-ant-api03-${odd(60)}`, odd(30, 99)];
  for (const cut of ['\n', '\\n', '\\\n  ']) {
    const hidden = newSecrets().hide(`KEY ${one}${cut}${rest}\nand more`);
    expect(hidden).toBe('KEY [redacted key in two lines]\nand more');
  }
  expect(newSecrets().hide(`${one}\nsrc/core/config2.ts\nconfiguration2`)).toBe(
    '[redacted Anthropic key]\nsrc/core/config2.ts\nconfiguration2',
  );
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

test('a password that is known is found where all of it stands by itself', () => {
  const secrets = newSecrets();
  secrets.learn(
    'password: letmein\npostgres://ada:blue-horse@db/x and PASSWORD=ab12 --token abc-123',
  );
  expect(secrets.hide('say letmein, blue-horse. ab12 or {"a":"x\\nletmein"} abc-123')).toBe(
    'say [redacted], [redacted]. [redacted] or {"a":"x\\n[redacted]"} [redacted]',
  );
  for (const text of ['letmeinto', 'xletmein', 'blue-horses', 'ab123', 'blue horse'])
    expect(secrets.hide(text)).toBe(text);
  const common = newSecrets();
  common.learn('postgres://postgres:postgres@db/x, PASSWORD=free\nPASSWORD=1234');
  expect(common.hide('postgres is free on port 1234')).toBe('postgres is free on port 1234');
});

test('a word that stands everywhere is hidden as a password where it is one, and no mask is masked', () => {
  for (const word of ['password', 'secret', 'example', 'authorization']) {
    const url = (password: string): string => `Use DATABASE_URL=postgres://user:${password}@db/x.`;
    const hidden = newSecrets().hide(`${url(word)} --token ${odd(20)}`);
    expect(hidden).toContain(url('[redacted password]'));
    expect(hidden).not.toContain('[redacted [');
    if (word === 'authorization') continue;
    const secrets = newSecrets();
    secrets.learn(url(word));
    expect(secrets.hide(`Build the ${word} form.`)).toBe(`Build the ${word} form.`);
  }
  const secrets = newSecrets();
  secrets.learn('postgres://user:authorization@db/x');
  expect(secrets.hide(`Authorization: Bearer ${odd(32)}`)).toBe(
    'Authorization: Bearer [redacted authorization]',
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
  const began = process.cpuUsage();
  const hidden = secrets.hide(
    keys.map((one) => `said ${one.slice(0, 30)}… and no more`).join('\n'),
  );
  expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
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

test('where what is hidden would break the JSON, what its names show is hidden all the same', () => {
  const secrets = newSecrets();
  secrets.learn('PASSWORD=n5xKq2mZ');
  const apiKey = odd(12);
  // In JSON the line break makes the known one of this.
  const hidden = hideInJson({ command: 'echo\n5xKq2mZ', apiKey }, secrets);
  expect(JSON.parse(hidden)).toEqual({ command: 'echo\n5xKq2mZ', apiKey: '[redacted]' });
});

test('what is read is as long as the text, however often a key seems to begin', () => {
  for (const { shape } of expressionsIn(
    new URL('../../../src/cli/secrets', import.meta.url).pathname,
  ))
    expect([shape.source, growthOfExpression(shape) && growthOfExpression(shape)]).toEqual([
      shape.source,
      null,
    ]);
}, 60_000);

test.each([
  'sk-',
  'eyJ-',
  'eyJaaaaaaaaaa.',
  'ghp_',
  'SG.a',
  'sk-ant-\n',
  'secret',
  'token="',
  '--token ',
  'Cookie: a=',
  'mysql -',
  'curl -u a:',
  '--password ',
  'password: ',
  'password="',
  '_pass=',
  '<password>',
  '-----BEGIN PRIVATE KEY-----',
  'a://a:',
  'a://a:/a@',
  'a://aaaaaaaaaaaaaaaa',
  'TOKEN=(',
  'TOKEN=a;',
  'password: "a ',
  'password:\\',
  'machine a ',
  'echo a|',
  'name="password" ',
  'authorization:',
])('a text of nothing but %j is read in a moment', (unit) => {
  const took = (length: number): number => {
    const began = process.cpuUsage();
    newSecrets().hide(unit.repeat(length / unit.length));
    return process.cpuUsage(began).user;
  };
  expect(Math.min(took(100_000), took(100_000))).toBeLessThan(1_000_000);
});

test('thousands of keys that begin alike are no more work than others', () => {
  const keys = Array.from({ length: 12_000 }, (_, n) => `AKIA${String(n).padStart(16, '0')}`);
  const secrets = newSecrets();
  const began = process.cpuUsage();
  secrets.learn(keys.join(' '));
  const hidden = secrets.hide(keys.join(' '));
  expect(secrets.hide(keys.map((one) => `${one.slice(0, 18)}…`).join(' '))).not.toMatch(/AKIA|\d/);
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
  expect(hidden).not.toContain('AKIA');
});
