import type { Schema } from '../../core/values/validation.ts';
import { openLevelReader, openLevelStore, openMemoryStore } from '../../store/level/level-store.ts';
import { postgresAddress } from '../../store/postgres/address.ts';
import { postgresHost } from '../../store/postgres/postgres-host.ts';
import type { StoreHost } from '../../store/store.ts';

/** The check of a place for a store. */
export const place: Schema = {
  holds: (value: unknown) =>
    typeof value === 'string' ? value !== '' : typeof Object(value).open === 'function',
  takes: "a folder, ':memory:', postgres://…, or a host",
};

/** The host of a place: a folder, memory for `:memory:`, or PostgreSQL for `postgres://…`. */
export function hostOf(location: string): StoreHost {
  if (location === ':memory:') return { open: openMemoryStore };
  const address = postgresAddress(location);
  if (address !== null) return postgresHost({ connectionString: address });
  return {
    open: (options) =>
      options.readOnly === true
        ? openLevelReader(location, options.isListed)
        : openLevelStore(location, options),
  };
}
