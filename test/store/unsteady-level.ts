import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryLevel } from 'memory-level';
import { randomOf } from '../../tools/random.ts';
import { FaultyLevel, type Write } from './faulty-level.ts';

/** What may befall one operation of a driver. */
export type Mishap =
  /** It fails, and nothing happened. */
  | 'error'
  /** It comes later than others that were asked for after it. */
  | 'delay'
  /** A value comes back without its end, or a page of rows with fewer of them. */
  | 'short'
  /** A value comes back empty. */
  | 'empty'
  /** A write fails, and took effect. */
  | 'after';

/** How often what befalls a driver, by chance that follows from a seed. */
export interface Weather {
  readonly seed: number;
  /** Of so many reads one goes wrong. */
  readonly reads: number;
  /** Of so many writes one goes wrong. */
  readonly writes: number;
}

type Value = Uint8Array | undefined;
type Row = [key: unknown, value: Uint8Array];
type Base = {
  _get(key: unknown, options: unknown): Promise<Value>;
  _getMany(keys: unknown[], options: unknown): Promise<Value[]>;
  _getSync(key: unknown, options: unknown): Value;
  _iterator(options: unknown): { _nextv(size: number, options: unknown): Promise<Row[]> };
};
const base = MemoryLevel.prototype as unknown as Base;

/** A database in memory whose operations go wrong now and then. */
export class UnsteadyLevel extends FaultyLevel {
  /** Whether nothing goes wrong for now. */
  calm = true;
  /** What went wrong so far. */
  readonly mishaps: Mishap[] = [];
  readonly #weather: Weather;
  readonly #next: () => number;

  constructor(weather: Weather) {
    super();
    this.#weather = weather;
    this.#next = randomOf(weather.seed);
  }

  async _get(key: unknown, options: unknown): Promise<Value> {
    const mishap = await this.#read();
    return harmed(await base._get.call(this, key, options), mishap, this.#next());
  }

  async _getMany(keys: unknown[], options: unknown): Promise<Value[]> {
    const mishap = await this.#read();
    const values = await base._getMany.call(this, keys, options);
    const at = Math.floor(this.#next() * values.length);
    return values.map((value, index) =>
      index === at ? harmed(value, mishap, this.#next()) : value,
    );
  }

  _getSync(key: unknown, options: unknown): Value {
    const mishap = this.#draw(this.#weather.reads, ['error', 'short', 'empty']);
    if (mishap === 'error') throw inputOutputError();
    return harmed(base._getSync.call(this, key, options), mishap, this.#next());
  }

  _iterator(options: unknown): ReturnType<Base['_iterator']> {
    const iterator = base._iterator.call(this, options);
    const nextv = iterator._nextv.bind(iterator);
    iterator._nextv = async (size, given) => {
      const mishap = await this.#read();
      // Fewer rows than were asked for are no end.
      const fewer = mishap === 'short' && this.#next() < 0.5;
      const rows = await nextv(fewer ? Math.max(1, Math.floor(size / 3)) : size, given);
      const at = Math.floor(this.#next() * rows.length);
      if (!fewer && rows[at] !== undefined)
        rows[at] = [rows[at][0], harmed(rows[at][1], mishap, this.#next())];
      return rows;
    };
    return iterator;
  }

  override async _batch(operations: never[], options: { sync?: boolean }): Promise<void> {
    const mishap = this.#draw(this.#weather.writes, ['error', 'delay', 'after']);
    if (mishap === 'error') throw inputOutputError();
    if (mishap === 'delay') await this.#late();
    await super._batch(operations, options);
    if (mishap === 'after') throw inputOutputError();
  }

  /** What befalls the next read; fails where that is an error. */
  async #read(): Promise<Mishap | null> {
    const mishap = this.#draw(this.#weather.reads, ['error', 'delay', 'short', 'empty']);
    if (mishap === 'error') throw inputOutputError();
    if (mishap === 'delay') await this.#late();
    return mishap;
  }

  async #late(): Promise<void> {
    for (let turns = 1 + this.#next() * 6; turns > 0; turns -= 1) await nextTurn();
  }

  #draw(oneIn: number, among: readonly Mishap[]): Mishap | null {
    if (this.calm || this.#next() * oneIn >= 1) return null;
    const mishap = among[Math.floor(this.#next() * among.length)]!;
    this.mishaps.push(mishap);
    return mishap;
  }
}

/** A value as a read that went wrong gives it. */
function harmed<T extends Value>(value: T, mishap: Mishap | null, chance: number): T {
  if (value === undefined || (mishap !== 'short' && mishap !== 'empty')) return value;
  return value.subarray(0, mishap === 'empty' ? 0 : Math.floor(chance * value.length)) as T;
}

function inputOutputError(): Error {
  return Object.assign(new Error('An injected input/output error'), { code: 'LEVEL_IO_ERROR' });
}

/** All that was written so far. */
export const imageOf = (db: FaultyLevel): readonly Write[] => [...db.journal];
