import { afterAll, beforeAll, describe, test } from 'vitest';
import { postgresHost } from '../../../src/store/postgres/postgres-host.ts';
import { storeSuite } from '../../../src/testing/suites/store.ts';
import { startCluster, whyNoCluster, type Cluster } from '../../../tools/processes/cluster.ts';

const missing = whyNoCluster();

describe.skipIf(missing !== null)(`PostgreSQL${missing === null ? '' : `: ${missing}`}`, () => {
  let cluster: Cluster;
  let stores = 0;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());
  const opened = (schema = `s${(stores += 1)}`) =>
    postgresHost({ connectionString: cluster.address, schema }).open({
      durability: 'process',
      create: true,
    });
  storeSuite({
    test,
    open: () => opened(),
    reopen: (location) => opened(/schema=(\w+)/.exec(location)![1]),
  });
});
