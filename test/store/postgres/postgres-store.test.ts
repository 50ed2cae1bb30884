import pg from 'pg';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { postgresHost } from '../../../src/store/postgres/postgres-host.ts';
import { hostSuite } from '../../../src/testing/suites/host.ts';
import { startCluster, whyNoCluster, type Cluster } from '../../../tools/processes/cluster.ts';

const missing = whyNoCluster();

describe.skipIf(missing !== null)(`PostgreSQL${missing === null ? '' : `: ${missing}`}`, () => {
  let cluster: Cluster;
  let admin: pg.Pool;
  let stores = 0;
  beforeAll(async () => {
    cluster = await startCluster();
    admin = new pg.Pool({ connectionString: cluster.address, application_name: 'admin', max: 1 });
  });
  afterAll(async () => {
    await admin.end();
    await cluster.remove();
  });
  const schemaOf = (location: string): string => /schema=(\w+)/.exec(location)![1]!;

  hostSuite({
    test,
    shared: true,
    host: () => postgresHost({ connectionString: cluster.address, schema: `s${(stores += 1)}` }),
    async damage({ location }, kind, key) {
      const record = `${schemaOf(location)}.record`;
      const change = `update ${record} set value = overlay(value placing 'z' from 15)`;
      await admin.query(`${change} where kind = $1 and key = $2`, [kind, key]);
    },
    async cut() {
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'flamestack'`,
      );
    },
  });
});
