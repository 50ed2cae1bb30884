import { isEngineError } from '../../index.ts';

/** What comes of reading what may be damaged; null where a record of it cannot be read, which `verify` tells of. */
export async function unlessDamaged<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return null;
    throw error;
  }
}
