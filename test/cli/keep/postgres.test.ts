import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore, salvageStore } from '../../../src/index.ts';
import { postgresAddress } from '../../../src/store/postgres/address.ts';
import { startCluster, whyNoCluster, type Cluster } from '../../../tools/processes/cluster.ts';
import { flamestack, folder, scriptFile } from '../call.ts';

const missing = whyNoCluster();

test('an address with a password is refused, and not repeated', async () => {
  for (const address of ['postgres://me:secret@here/db', 'postgresql://here/db?password=secret'])
    for (const command of ['ls', 'doctor', 'chat', 'verify --json']) {
      const { exit, out, err } = await flamestack(`${command} --store ${address}`);
      expect(exit).not.toBe(0);
      expect(out + err).toContain('PGPASSWORD');
      expect(out + err).not.toContain('secret');
    }
});

test.each([
  'POSTGRES://me:secret@here/db',
  ' postgres://me:secret@here/db',
  'PostgreSQL://here/db?password=secret',
  'postgres://me%3Asecret@here/db',
  'postgres:/me:secret@here/db',
  'postgres:me:secret@here',
  '"postgres://me:secret@here/db"',
  'jdbc:postgresql://me:secret@here/db',
  'mysql://me:secret@here/db',
  'host=here password=secret',
  'user=me\tpassword = secret',
])('of %j no folder is made, and no password is told', async (address) => {
  const before = process.cwd();
  const empty = await folder();
  process.chdir(empty);
  onTestFinished(() => process.chdir(before));
  const env = { FLAMESTACK_STORE: address };
  for (const command of ['ls', 'doctor', 'chat --once', 'salvage --to new', 'verify --json']) {
    const { exit, out, err } = await flamestack(command, { env });
    expect(exit).not.toBe(0);
    expect(out + err).toMatch(/PGPASSWORD|postgres:\/\/user@host/);
    expect(out + err).not.toContain('secret');
  }
  const store = await openStore(':memory:');
  await expect(store.backup(address)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  await expect(salvageStore(empty, address)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  await store.close();
  expect(await readdir(empty)).toEqual([]);
});

test.each(['./postgres:x', 'my notes', 'C:/notes', 'a:b', 'hosts', './user=me'])(
  '%j is a folder',
  (location) => expect(postgresAddress(location)).toBe(null),
);

describe.skipIf(missing !== null)(`PostgreSQL${missing === null ? '' : `: ${missing}`}`, () => {
  let cluster: Cluster;
  let address: string;
  const before = process.env['PGPASSWORD'];
  beforeAll(async () => {
    cluster = await startCluster();
    const [, user, password, rest] = /^(.*):([^:@]*)@(.*)$/.exec(cluster.address)!;
    process.env['PGPASSWORD'] = password;
    address = `${user}@${rest}?schema=cli`;
  });
  afterAll(async () => {
    if (before === undefined) delete process.env['PGPASSWORD'];
    else process.env['PGPASSWORD'] = before;
    await cluster.remove();
  });

  test('what is imported to an address is listed, shown and verified there', async () => {
    const none = await flamestack(`ls --store ${address}`);
    expect(none.out + none.err).toContain('There is no store');
    const imported = await flamestack(`import ${await scriptFile()} --store ${address}`);
    expect(imported.exit).toBe(0);
    const listed = await flamestack(`ls --json --store ${address}`);
    expect(JSON.parse(listed.out)).toMatchObject({ sessions: [{ id: 'demo' }] });
    expect((await flamestack(`show --store ${address}`)).exit).toBe(0);
    expect((await flamestack(`verify --store ${address}`)).exit).toBe(0);
    expect((await flamestack(`doctor --store ${address}`)).out).toContain('1 session');
  });
});
