import { openStore, type Message, type Session, type Synced } from '../../src/index.ts';
import { between, type Random, randomOf } from '../random.ts';
import { textOf } from './text.ts';
import { turnOf } from './turn.ts';

// The second half of the table: a host hands over its own list. Was something lost,
// and what? Each trial is a session of its own, synced twice.

/** What a host did with its list between two calls. */
interface HostEvent {
  readonly name: string;
  readonly relation: Synced['relation'];
  /** The new list, and the places in the old one of what is gone; null where it cannot happen to this list. */
  readonly happen: (
    list: readonly Message[],
    more: readonly Message[],
    random: Random,
  ) => HostChange | null;
}

interface HostChange {
  readonly list: readonly Message[];
  readonly lost: readonly number[];
}

const upTo = (end: number): readonly number[] => Array.from({ length: end }, (_, at) => at);

function dropped(list: readonly Message[], count: number, more: readonly Message[]): HostChange {
  return { list: [...list.slice(count), ...more], lost: upTo(count) };
}

const placesOfResults = (list: readonly Message[], least: number): readonly number[] =>
  upTo(list.length).filter((at) => list[at]!.role === 'tool' && sizeOf(list[at]!) > least);

const textIn = ({ content }: Message): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

const sizeOf = (message: Message): number => textIn(message).length;

function edited(
  list: readonly Message[],
  places: readonly number[],
  edit: (text: string) => string,
): readonly Message[] {
  return list.map((message, at) =>
    places.includes(at) && message.role === 'tool'
      ? { ...message, content: edit(textIn(message)) }
      : message,
  );
}

const events: readonly HostEvent[] = [
  {
    name: 'appended',
    relation: 'append',
    happen: (list, more) => ({ list: [...list, ...more], lost: [] }),
  },
  { name: 'the same list again', relation: 'same', happen: (list) => ({ list, lost: [] }) },
  {
    name: 'head dropped',
    relation: 'cut',
    happen: (list, more, random) =>
      dropped(list, Math.ceil(list.length * (0.1 + 0.6 * random())), more),
  },
  {
    name: 'head replaced by a summary',
    relation: 'cut',
    happen(list, more) {
      const half = Math.ceil(list.length / 2);
      const content = 'Summary of the conversation so far: they read files.';
      const { list: rest, lost } = dropped(list, half, more);
      return { list: [{ role: 'user', content }, ...rest], lost };
    },
  },
  {
    name: 'restart with the newest only',
    relation: 'cut',
    happen: (list, more) => dropped(list, list.length, more.slice(-1)),
  },
  {
    name: 'as many dropped as appended',
    relation: 'cut',
    happen: (list, more) => dropped(list, more.length, more),
  },
  {
    name: 'one dropped, more appended',
    relation: 'cut',
    happen: (list, more) => (more.length < 2 ? null : dropped(list, 1, more)),
  },
  {
    name: 'old tool results cleared in place',
    relation: 'cut',
    happen(list, more) {
      const lost = placesOfResults(list, 9).filter((at) => at < list.length - 6);
      if (lost.length === 0) return null;
      return { list: [...edited(list, lost, () => '[cleared]'), ...more], lost };
    },
  },
  {
    name: 'one long result shortened',
    relation: 'cut',
    happen(list, more) {
      const lost = placesOfResults(list, 1_000).slice(0, 1);
      if (lost.length === 0) return null;
      return { list: [...edited(list, lost, (text) => text.slice(0, 500)), ...more], lost };
    },
  },
  {
    name: 'last prompt edited and sent again',
    relation: 'fork',
    happen(list) {
      const at = list.findLastIndex(({ role }) => role === 'user');
      const prompt: Message = { role: 'user', content: `${textIn(list[at]!)} (edited)` };
      return { list: [...list.slice(0, at), prompt], lost: [] };
    },
  },
];

/** How often each way to look at a list was right about one event. */
export interface HistoryRow {
  readonly event: string;
  readonly isLoss: boolean;
  readonly trials: number;
  /** Whether something was lost, told by fewer messages, by fewer characters, and by `sync`. */
  readonly messages: number;
  readonly size: number;
  readonly sync: number;
  /** `sync` named the relation. */
  readonly relation: number;
  /** `sync` named exactly the entries that were lost. */
  readonly named: number;
}

/** Lets hosts do each thing to the lists of `trials` sessions. */
export async function measureHistory(given: {
  readonly trials: number;
  readonly seed: number;
  readonly onEvent?: (event: string) => void;
}): Promise<readonly HistoryRow[]> {
  const rows: HistoryRow[] = [];
  for (const event of events) {
    given.onEvent?.(event.name);
    rows.push(await rowOf(event, given));
  }
  return rows;
}

async function rowOf(
  event: HostEvent,
  { trials, seed }: { trials: number; seed: number },
): Promise<HistoryRow> {
  const isLoss = event.relation === 'cut';
  const row = { trials: 0, messages: 0, size: 0, sync: 0, relation: 0, named: 0 };
  for (let n = 0; row.trials < trials && n < 10 * trials; n += 1) {
    const random = randomOf(seed + n);
    const { list, more } = listOf(random);
    const happened = event.happen(list, more, random);
    if (happened === null) continue;
    const { relation, lost } = await synced(list, happened.list);
    const expected = happened.lost.map((at) => `e${at + 1}`);
    row.trials += 1;
    row.messages += Number(happened.list.length < list.length === isLoss);
    row.size += Number(total(happened.list) < total(list) === isLoss);
    row.sync += Number((relation === 'cut') === isLoss);
    row.relation += Number(relation === event.relation);
    row.named += Number(lost.join() === expected.join());
  }
  return { event: event.name, isLoss, ...row };
}

const total = (list: readonly Message[]): number =>
  list.reduce((sum, message) => sum + sizeOf(message), 0);

/** A list of 20 messages or more that ends with an answer, and what comes next. */
function listOf(random: Random): { list: readonly Message[]; more: readonly Message[] } {
  const list: Message[] = [];
  const length = between(random, 20, 60);
  for (let n = 0; list.length < length; n += 1)
    list.push(...turnOf(random, n), { role: 'assistant', content: `${n}: ${textOf(random)}` });
  const more: readonly Message[] = [
    { role: 'user', content: `Next: ${textOf(random)}` },
    { role: 'assistant', content: `Then: ${textOf(random)}` },
    { role: 'user', content: `And: ${textOf(random)}` },
  ];
  return { list, more: more.slice(0, between(random, 1, 4)) };
}

async function synced(before: readonly Message[], after: readonly Message[]): Promise<Synced> {
  await using store = await openStore(':memory:');
  const session: Session = await store.open('s', { window: 16_384, recovery: 'confirm' });
  await session.sync(before);
  return session.sync(after);
}
