import type { Level } from 'level';

// A store is filled in batches that are neither many nor large: as many rows, or about as many characters.

const batchRows = 1_000;
const batchText = 1 << 20;

/** Rows on their way into a database. */
export interface RowWriter {
  /** Takes a row in, and writes what has come together where that is enough. */
  put(key: string, value: string): Promise<void>;
  /** Writes what was not written yet. */
  flush(): Promise<void>;
}

/** How rows are written. */
export interface RowWriterOptions {
  /** Whether each batch is on the disk when it is written. */
  readonly sync: boolean;
  /** Looked at before each batch. */
  readonly signal?: AbortSignal | undefined;
  /** Called behind each batch. */
  readonly onWritten?: () => void;
}

/** Writes rows into an open database, batch by batch. */
export function rowWriter(db: Level, { sync, signal, onWritten }: RowWriterOptions): RowWriter {
  const options: object = { sync };
  let batch: { type: 'put'; key: string; value: string }[] = [];
  let text = 0;
  const flush = async (): Promise<void> => {
    signal?.throwIfAborted();
    await db.batch(batch, options);
    [batch, text] = [[], 0];
    onWritten?.();
  };
  return {
    flush,
    async put(key, value) {
      batch.push({ type: 'put', key, value });
      text += value.length;
      if (batch.length >= batchRows || text >= batchText) await flush();
    },
  };
}
