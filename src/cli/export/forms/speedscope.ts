import { version } from '../../call/version.ts';
import { toExchange } from '../../paper/exchange-json.ts';
import type { Exporting } from '../exporting.ts';
import { readRecord, type EntryRecord, type SessionRecord } from '../session-record.ts';

// speedscope takes a profile as frames that open and close: https://www.speedscope.app/file-format-schema.json.
// Ours are the frames of the work, and in them who said something; as wide as what was said has tokens, and
// in a second profile as the time that went by before it was said.

/** A file for speedscope. */
interface SpeedscopeFile {
  readonly $schema: string;
  readonly exporter: string;
  readonly name: string;
  readonly activeProfileIndex: 0;
  readonly shared: {
    readonly frames: readonly { readonly name: string; readonly file?: string }[];
  };
  readonly profiles: readonly Profile[];
}

interface Profile {
  readonly type: 'evented';
  readonly name: string;
  readonly unit: 'none' | 'milliseconds';
  readonly startValue: 0;
  readonly endValue: number;
  readonly events: readonly {
    readonly type: 'O' | 'C';
    readonly at: number;
    readonly frame: number;
  }[];
}

/** A session as a file for speedscope. */
export async function* speedscopeOf(exporting: Exporting): AsyncGenerator<string> {
  yield `${toExchange(speedscopeFile(await readRecord(exporting)))}\n`;
}

/** The frames of a session as flame graphs: by tokens, and by time where it has any. */
export function speedscopeFile(record: SessionRecord): SpeedscopeFile {
  const { head, entries, frames } = record;
  const numbers = new Map<string, number>();
  const shared: { name: string; file?: string }[] = [];
  const numberOf = (key: string, name: string, file?: string): number => {
    const existing = numbers.get(key);
    if (existing !== undefined) return existing;
    numbers.set(key, shared.length);
    return shared.push({ name, ...(file !== undefined && { file }) }) - 1;
  };
  const framesById = new Map(frames.map((frame) => [frame.id, frame]));
  const pathTo = (id: string): readonly number[] => {
    const frame = framesById.get(id);
    if (frame === undefined) return [];
    const { parent, title, status } = frame;
    const above = parent === null ? [] : pathTo(parent);
    return [...above, numberOf(`frame ${id}`, title, `${id} · ${status.replaceAll('_', ' ')}`)];
  };
  const profile = (name: string, unit: Profile['unit'], widthOf: (one: EntryRecord) => number) => {
    const events: Profile['events'][number][] = [];
    let open: readonly number[] = [];
    let at = 0;
    const goTo = (path: readonly number[]): void => {
      const differs = path.findIndex((frame, depth) => open[depth] !== frame);
      const same = Math.min(differs === -1 ? path.length : differs, open.length);
      for (const frame of open.slice(same).toReversed()) events.push({ type: 'C', at, frame });
      for (const frame of path.slice(same)) events.push({ type: 'O', at, frame });
      open = path;
    };
    for (const one of entries) {
      const frame = numberOf(`by ${one.by}`, one.by);
      goTo(pathTo(one.entry.frame));
      events.push({ type: 'O', at, frame });
      at += widthOf(one);
      events.push({ type: 'C', at, frame });
    }
    goTo([]);
    return { type: 'evented', name, unit, startValue: 0, endValue: at, events } as const;
  };
  const profiles = [
    profile('tokens said', 'none', ({ entry }) => entry.tokens),
    profile('time', 'milliseconds', ({ from, to }) => to - from),
  ];
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: `flamestack@${version()}`,
    name: head.title,
    activeProfileIndex: 0,
    shared: { frames: shared },
    profiles: profiles.filter(({ endValue }, index) => index === 0 || endValue > 0),
  };
}
