import assert from 'node:assert/strict';
import type { OpenOptions, RecordKind, RecordStore, StoreHost } from '../../store/store.ts';
import { put } from './check.ts';
import { damageChecks, ownerChecks } from './owners.ts';
import { cutChecks, engineChecks } from './engines.ts';
import { cutMachineChecks, machineChecks } from './machines.ts';
import { storeChecks } from './store.ts';

/** What the suite needs: any runner's `test`, and the host under test. */
export interface HostSuite {
  readonly test: (name: string, run: () => Promise<void>) => unknown;
  /** A host without a store, a place of its own for each call. */
  readonly host: () => StoreHost | Promise<StoreHost>;
  /** Whether its store outlives a close; true unless told. */
  readonly keeps?: boolean;
  /** Whether it can be open several times at once, as by several processes; false unless told. */
  readonly shared?: boolean;
  /** Changes a byte of what is kept of a record, behind the back of the store. */
  readonly damage?: (store: RecordStore, kind: RecordKind, key: string) => Promise<void>;
  /** Cuts all connections of the store at a location, whatever they are doing; left out where there are none. */
  readonly cut?: (location: string) => Promise<void>;
}

const options: OpenOptions = { durability: 'process', create: true };

/**
 * Declares the tests that every host passes, with `suite.test`; they run alone or beside each other. Two owners
 * are two stores over one place where it can be shared, else two engines over one store.
 */
export function hostSuite(suite: HostSuite): void {
  const { test, host, keeps = true, shared = false, damage, cut } = suite;
  const hostOfTwo = async (): Promise<StoreHost> => (shared ? host() : openOnce(await host()));

  for (const [name, check] of Object.entries(storeChecks()))
    test(name, async () => {
      await using store = disposable(await (await host()).open(options));
      await check(store);
    });
  for (const [name, check] of Object.entries(ownerChecks))
    test(name, async () => {
      const place = await hostOfTwo();
      await using one = disposable(await place.open(options));
      await using other = disposable(await place.open(options));
      await check(one, other);
    });
  for (const [name, check] of Object.entries({ ...engineChecks, ...machineChecks }))
    test(name, async () => check(await hostOfTwo()));
  if (damage !== undefined)
    for (const [name, check] of Object.entries(damageChecks))
      test(name, async () => {
        await using store = disposable(await (await host()).open(options));
        await check(store, (kind, key) => damage(store, kind, key));
      });
  if (cut !== undefined)
    for (const [name, check] of Object.entries({ ...cutChecks, ...cutMachineChecks }))
      test(name, async () => check(await hostOfTwo(), cut));
  if (keeps)
    test('what was committed is there after a reopening', async () => {
      const place = await host();
      const first = await place.open(options);
      await first.commit([put('text', 'a', { words: 'kept' })]);
      await first.close();
      await using second = disposable(await place.open({ ...options, create: false }));
      assert.deepEqual(await second.get('text', 'a'), { words: 'kept' });
    });
}

function disposable(store: RecordStore): RecordStore & AsyncDisposable {
  return Object.assign(Object.create(store) as RecordStore, {
    [Symbol.asyncDispose]: () => store.close(),
  });
}

/** A host that opens its store once, for all who ask, and closes it with the last of them. */
function openOnce(host: StoreHost): StoreHost {
  let opened: Promise<RecordStore> | undefined;
  let users = 0;
  return {
    async open(options) {
      users += 1;
      const store = await (opened ??= host.open(options));
      const close = async (): Promise<void> => {
        users -= 1;
        if (users === 0) await store.close();
      };
      return Object.assign(Object.create(store) as RecordStore, { close });
    },
  };
}
