import type { Entry } from './history.ts';
import type { MethodKind } from './method.ts';
import { paired } from './pairs.ts';
import { bare, toSaid, type Shown } from './said.ts';
import { edited, shortened } from './shortened.ts';

// What people do without an engine, each with its pairs of calls and results
// repaired, so that what is compared is what they keep, not how they break.

/** What of a history is sent: what stays, and what gives way from its start where both are too much. */
interface Choice {
  readonly fixed: readonly Shown[];
  readonly rest: readonly Shown[];
}

/** Chooses from all that was said what is sent in `room` tokens; called where not everything fits. */
type Choose = (said: readonly Entry[], room: number) => Promise<Choice>;

/** Messages that `prune-calls` leaves whole. */
const lastWhole = 10;

/** The baselines, in the order of reports. */
export const baselines: readonly MethodKind[] = [
  baseline('keep-last', 'the newest messages that fit', async (said, room) => ({
    fixed: [],
    rest: await newestIn(said, room),
  })),
  baseline('head-tail', 'a quarter from the start, the rest from the end', headAndTail),
  baseline('clear-results', 'old tool results give way to a placeholder, then keep-last', cleared),
  baseline(
    'prune-calls',
    `no tool calls and results but in the last ${lastWhole} messages, then keep-last`,
    pruned,
  ),
  baseline('user-first', 'all that people typed, then the newest', userFirst),
];

function baseline(name: string, about: string, choose: Choose): MethodKind {
  return {
    name,
    about,
    async begin({ budget, system }) {
      const head = system === '' ? [] : [await toSystem(system)];
      const room = budget - sizeOf(head);
      const said: Entry[] = [];
      let size = 0;
      return {
        async append(entry) {
          if (entry.role === 'system') return;
          said.push(entry);
          size += entry.tokens;
        },
        async context() {
          const whole: Choice = { fixed: [], rest: said };
          const { fixed, rest } = size <= room ? whole : await choose(said, room);
          return [...head, ...fixed, ...(await paired(within(rest, room - sizeOf(fixed))))];
        },
      };
    },
  };
}

async function toSystem(system: string): Promise<Shown> {
  return {
    ...(await toSaid(bare('system', system))),
    kind: 'made',
    place: null,
    section: 'system',
  };
}

function sizeOf(messages: readonly Shown[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The messages without the oldest that are too much, nor results at the new start; the last one stays. */
function within(messages: readonly Shown[], room: number): readonly Shown[] {
  const end = messages.length - 1;
  let over = sizeOf(messages) - room;
  let first = 0;
  for (; first < end && (over > 0 || (first > 0 && messages[first]!.role === 'tool')); first += 1)
    over -= messages[first]!.tokens;
  return messages.slice(first);
}

/** Whole messages from the end. */
function lastOf<Message extends Shown>(
  messages: readonly Message[],
  room: number,
): readonly Message[] {
  let first = messages.length;
  for (let left = room; first > 0 && messages[first - 1]!.tokens <= left; first -= 1)
    left -= messages[first - 1]!.tokens;
  return messages.slice(first);
}

/** Whole messages from the end with their pairs, or the newest exchange cut to fit where there are none. */
async function newestIn(messages: readonly Shown[], room: number): Promise<readonly Shown[]> {
  const whole = await paired(lastOf(messages, room));
  return whole.length > 0 ? whole : paired(await lastExchange(messages, room));
}

/** Tokens above which a message of the newest exchange is cut. */
const big = 400;

/** A call with its results, or one message, cut to fit. */
async function lastExchange(messages: readonly Shown[], room: number): Promise<readonly Shown[]> {
  const from = messages.findLastIndex(({ role }) => role !== 'tool');
  const exchange = messages.slice(Math.max(0, from));
  const bigOnes = exchange.filter(({ tokens }) => tokens > big);
  const left = room - sizeOf(exchange.filter(({ tokens }) => tokens <= big));
  const each = Math.max(60, Math.floor(left / bigOnes.length) - 40);
  return Promise.all(
    exchange.map(async (message) => (message.tokens > big ? shortened(message, each) : message)),
  );
}

/** Share of the room that the start of the history gets. */
const headShare = 0.25;

async function headAndTail(said: readonly Entry[], room: number): Promise<Choice> {
  const share = room * headShare;
  const head: Shown[] = [];
  let size = 0;
  for (const message of said) {
    if (size + message.tokens > share) {
      if (head.length === 0) head.push(await shortened(message, Math.floor(share)));
      break;
    }
    size += message.tokens;
    head.push(message);
  }
  while (head.length > 0 && !isDone(head)) head.pop();
  const rest = await newestIn(said.slice(head.length), room - sizeOf(head) - 20);
  return { fixed: await paired(head), rest };
}

/** Whether messages may end here: not with a call, nor in the middle of its results. */
function isDone(messages: readonly Shown[]): boolean {
  const last = messages.at(-1);
  if (last !== undefined && last.calls.length > 0) return false;
  if (last?.role !== 'tool') return true;
  const answered = new Set(messages.map(({ role, answers }) => (role === 'tool' ? answers : '')));
  return messages.every(({ calls }) => calls.every(({ id }) => answered.has(id)));
}

/** Tool results at the end that `clear-results` leaves whole. */
const wholeResults = 3;

/** Tokens up to which clearing a result would save nothing. */
const placeholder = 14;

const withoutContent = once((entry) => edited(entry, { content: '[old tool result cleared]' }));
const withoutCalls = once((entry) => edited(entry, { calls: [] }));

/** Makes the copy of an entry once. */
function once(make: (entry: Entry) => Promise<Shown>): (entry: Entry) => Promise<Shown> {
  const made = new WeakMap<Entry, Promise<Shown>>();
  return (entry) => {
    const copy = made.get(entry) ?? make(entry);
    made.set(entry, copy);
    return copy;
  };
}

async function cleared(said: readonly Entry[], room: number): Promise<Choice> {
  const results = said.filter(({ role }) => role === 'tool');
  const whole = new Set(results.slice(-wholeResults));
  let over = sizeOf(said) - room;
  const messages: Shown[] = [];
  for (const message of said) {
    const stays = message.role !== 'tool' || whole.has(message) || message.tokens <= placeholder;
    if (over <= 0 || stays) {
      messages.push(message);
      continue;
    }
    const copy = await withoutContent(message);
    over -= message.tokens - copy.tokens;
    messages.push(copy);
  }
  return { fixed: [], rest: await newestIn(messages, room) };
}

async function pruned(said: readonly Entry[], room: number): Promise<Choice> {
  const old: Shown[] = [];
  for (const message of said.slice(0, -lastWhole)) {
    if (message.role === 'tool' || message.content === '') continue;
    old.push(message.calls.length > 0 ? await withoutCalls(message) : message);
  }
  return { fixed: [], rest: await newestIn([...old, ...said.slice(-lastWhole)], room) };
}

/** Share of the room that the newest messages get before what people typed. */
const newestShare = 0.4;

async function userFirst(said: readonly Entry[], room: number): Promise<Choice> {
  const newestRoom = Math.floor(room * newestShare);
  const newest = lastOf(said, newestRoom);
  const picked = new Set<Entry>();
  let left = room - newestRoom;
  const old = said.slice(0, said.length - newest.length).reverse();
  const pick = (wanted: readonly Entry[]): void => {
    for (const entry of wanted) {
      if (entry.tokens > left) return;
      left -= entry.tokens;
      picked.add(entry);
    }
  };
  pick(old.filter(({ isHuman }) => isHuman));
  pick(old.filter((entry) => !picked.has(entry)));
  const end = newest.length > 0 ? newest : await lastExchange(said, newestRoom);
  const places = new Set(end.map(({ place }) => place));
  const kept = said.filter((entry) => picked.has(entry) && !places.has(entry.place));
  return { fixed: [], rest: await paired([...kept, ...end]) };
}
