import { setImmediate as breathe } from 'node:timers/promises';
import type { Place, Session } from '../../index.ts';

/** Number of entries in each place, seen from the prompt, and of those that the log gave back. */
export type Places = Readonly<Record<EntryPlace | 'logged', number>>;

/** The place of an entry; a frame has others. */
type EntryPlace = Exclude<Place['place'], 'tree'>;

/** The longest log whose entries are looked for one by one. */
const mostEntries = 20_000;

/** Entries looked for before others get a turn. */
const atOnce = 500;

/** Reads the log back and looks for every entry; null for a log too long to ask. */
export async function placesOf(session: Session): Promise<Places | null> {
  const { entries } = session.state;
  if (entries > mostEntries) return null;
  const places = {
    verbatim: 0,
    shortened: 0,
    checkpoint: 0,
    partial: 0,
    offloaded: 0,
    results: 0,
    left: 0,
    invalidated: 0,
    logged: 0,
  };
  for await (const _ of session.log()) places.logged += 1;
  for (let n = 1; n <= entries; n += 1) {
    places[session.where(`e${n}`).place as EntryPlace] += 1;
    if (n % atOnce === 0) await breathe();
  }
  return places;
}

const words: Readonly<Record<EntryPlace, string>> = {
  verbatim: 'in the window word for word',
  shortened: 'shortened',
  checkpoint: 'behind checkpoints',
  partial: 'behind partial results',
  offloaded: 'behind breadcrumbs',
  results: "behind frames' results",
  left: 'on branches that were left',
  invalidated: 'behind abandoned frames',
};

/** The places in words, the empty ones left out. */
export function placesText(places: Places): string {
  return (Object.keys(words) as EntryPlace[])
    .filter((place) => places[place] > 0)
    .map((place) => `${places[place]} ${words[place]}`)
    .join(', ');
}
