import type { Message, Synced } from '../../src/index.ts';

// A host that knows what it does: its list, with the entry that each message is, so that
// what is said of it can be judged.

/** What a host does to its list before the next call. */
export type Event =
  | { readonly type: 'append'; readonly count: number }
  | { readonly type: 'same' | 'restart' | 'edit' }
  | { readonly type: 'head' | 'summary'; readonly part: number; readonly count: number }
  | { readonly type: 'slide'; readonly drop: number; readonly count: number }
  | { readonly type: 'clear'; readonly spared: number; readonly count: number }
  | { readonly type: 'shorten'; readonly part: number; readonly count: number }
  | { readonly type: 'retry' | 'rewind'; readonly count: number };

/** A host, and what it knows. */
export interface Host {
  /** Does it, and tells what must be said of it. */
  readonly act: (event: Event) => Synced;
  readonly list: () => readonly Message[];
  /** Everything that was ever said, in order. */
  readonly log: () => readonly Message[];
  /** The entries on the branch that is taken. */
  readonly branch: () => readonly string[];
}

/** What a host's messages are like. */
interface Shape {
  readonly sizes: readonly number[];
  readonly calls: readonly number[];
  readonly named: boolean;
}

/** A message of the list, and the entry that it is; `whole` where it is as it was said. */
interface Item {
  readonly n: number;
  readonly message: Message;
  readonly whole: boolean;
}

const marker = '[cleared]';

/** A host with an empty list. */
export function newHost(shape: Shape, prose: (words: number, seed: number) => string): Host {
  const log: Message[] = [];
  const left = new Set<number>();
  let list: Item[] = [];
  let queue: Message[] = [];
  let made = 0;
  const next = (): number => (made += 1);
  const text = (kind: string): string => {
    const n = next();
    return `${kind} ${n}. ${prose(shape.sizes[n % shape.sizes.length]!, n)}`;
  };
  const step = (): Message[] => {
    const n = next();
    const call = { name: 'read', arguments: { path: `src/${n}.ts` } };
    const content = n % 2 === 0 ? text('I look') : '';
    const result = { role: 'tool', name: 'read', content: text('Result') } as const;
    return shape.named
      ? [
          { role: 'assistant', content, toolCalls: [{ ...call, id: `c${n}` }] },
          { ...result, toolCallId: `c${n}` },
        ]
      : [{ role: 'assistant', content, toolCalls: [call] }, result];
  };
  const answer = (): Message[] => [
    ...Array.from({ length: shape.calls[made % shape.calls.length]! }, step).flat(),
    { role: 'assistant', content: text('Done') },
  ];
  const say = (message: Message): Item => {
    log.push(message);
    return { n: log.length, message, whole: true };
  };
  const more = (count: number): Item[] =>
    Array.from({ length: count }, () => {
      if (queue.length === 0) queue = [{ role: 'user', content: text('Do') }, ...answer()];
      return say(queue.shift()!);
    });
  const change = (to: readonly Item[]): number[] => {
    const whole = new Set(to.flatMap(({ n, whole }) => (whole ? [n] : [])));
    const lost = list.flatMap(({ n, whole: was }) => (was && !whole.has(n) ? [n] : []));
    list = [...to];
    return lost.toSorted((one, other) => one - other);
  };
  const cut = (to: () => readonly Item[]): Synced => {
    const before = log.length;
    const lost = change(to()).map((n) => `e${n}`);
    const appended = log.slice(before).map((_, at) => `e${before + at + 1}`);
    const relation = lost.length > 0 ? 'cut' : appended.length > 0 ? 'append' : 'same';
    return { relation, appended, lost };
  };
  const fork = (from: number, to: () => readonly Item[]): Synced => {
    const forkedAt = list[from]!.n;
    const last = log.length;
    const stays = list.slice(0, from);
    const { appended } = cut(() => [...stays, ...to()]);
    const kept = new Set(stays.map(({ n }) => n));
    for (let n = forkedAt; n <= last; n += 1) if (!kept.has(n)) left.add(n);
    return { relation: 'fork', appended, lost: [], forkedAt: `e${forkedAt}` };
  };
  const prompts = (): number[] =>
    list.flatMap(({ message }, at) => (isPrompt(message) ? [at] : []));
  const dropping = (count: number): number => {
    const last = list.findLastIndex(({ whole }) => whole);
    return Math.max(0, Math.min(count, last));
  };
  const results = (): number[] =>
    list.flatMap(({ message }, at) => (message.role === 'tool' ? [at] : []));
  const act = (event: Event): Synced => {
    switch (event.type) {
      case 'append':
        return cut(() => [...list, ...more(event.count)]);
      case 'same':
        return cut(() => list);
      case 'restart':
        return cut(() => more(1));
      case 'head': {
        const drop = dropping(Math.ceil(list.length * event.part));
        return cut(() => [...list.slice(drop), ...more(event.count)]);
      }
      case 'slide':
        return cut(() => [...list.slice(dropping(event.drop)), ...more(event.count)]);
      case 'summary': {
        const drop = dropping(Math.ceil(list.length * event.part));
        if (drop === 0) return cut(() => list);
        const summary = { role: 'user', content: text('Summary') } as const;
        const rest = list.slice(drop);
        return cut(() => {
          const awaited = queue[0]?.role === 'tool' ? more(1) : [];
          return [say(summary), ...rest, ...awaited, ...more(event.count)];
        });
      }
      case 'clear': {
        const all = results().filter((at) => at < list.length - event.spared);
        const gone = new Set(all.length < list.filter(({ whole }) => whole).length ? all : []);
        return cut(() => [
          ...list.map((item, at) => (gone.has(at) ? shorter(item, marker) : item)),
          ...more(event.count),
        ]);
      }
      case 'shorten': {
        // A shorter text at the end of a list, without the id of a call, may be a new result.
        const isTold = (at: number): boolean => shape.named || at < list.length - 1;
        const long = results().filter(
          (at) => isTold(at) && list[at]!.whole && textIn(list[at]!).length > 40,
        );
        const isAlone = list.filter(({ whole }) => whole).length < 2;
        const chosen = isAlone ? undefined : long[Math.floor(long.length * event.part)];
        return cut(() => [
          ...list.map((item, at) =>
            at === chosen ? shorter(item, textIn(item).slice(0, textIn(item).length / 2)) : item,
          ),
          ...more(event.count),
        ]);
      }
      case 'edit': {
        const at = prompts().at(-1) ?? 0;
        if (at === 0) return cut(() => list);
        queue = answer();
        const content = `${textIn(list[at]!)} (edited)`;
        return fork(at, () => [say({ role: 'user', content })]);
      }
      case 'retry': {
        const at = prompts().at(-1);
        queue = answer();
        if (at === undefined) return cut(() => list);
        if (at === list.length - 1) return cut(() => [...list, ...more(event.count)]);
        return fork(at + 1, () => more(event.count));
      }
      case 'rewind': {
        const at = prompts().at(-event.count) ?? 0;
        queue = [];
        return at === 0 ? cut(() => list) : fork(at, () => []);
      }
    }
  };
  return {
    list: () => list.map(({ message }) => message),
    log: () => log,
    branch: () => log.flatMap((_, at) => (left.has(at + 1) ? [] : [`e${at + 1}`])),
    act,
  };
}

const textIn = ({ message }: Item): string => message.content as string;

function isPrompt(message: Message): boolean {
  return message.role === 'user' && (message.content as string).startsWith('Do');
}

function shorter(item: Item, content: string): Item {
  if (textIn(item).length <= content.length) return item;
  return { ...item, message: { ...item.message, content }, whole: false };
}
