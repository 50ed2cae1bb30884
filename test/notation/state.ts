import { lifecycles } from '../../machines/lifecycle.ts';
import { layOut } from '../../src/core/assembly/layout.ts';
import { quoted } from '../../src/core/sections/human-section.ts';
import { keptLines } from '../../src/core/chronicle/chronicle.ts';
import type { Line } from '../../src/core/lines/line.ts';
import { resolveOptions, type Options } from '../../src/core/budget/options.ts';
import type { Digest, FrameStatus } from '../../src/core/frames/frame.ts';
import { newGoal } from '../../src/core/frames/goal.ts';
import { frameOf } from '../../src/core/frames/tree.ts';
import { members } from '../../src/core/values/persistent-vector.ts';
import { atOnce } from '../../src/core/values/parts.ts';
import { checkpointId, entryId, frameId, ordinal, textId } from '../../src/core/values/id.ts';
import type { FrameId, TextId } from '../../src/core/values/id.ts';
import type { Bodies } from '../../src/core/messages/bodies.ts';
import { textOf, type Message } from '../../src/core/messages/message.ts';
import { evolve } from '../../src/core/state/evolve.ts';
import type { Fact, FactOf } from '../../src/core/state/fact.ts';
import type { State } from '../../src/core/state/state.ts';
import { checkpoints } from './checkpoints.ts';
import { parseLog } from './log.ts';

// A session on one line: entries in the notation of `log.ts`, and what was decided
// between them. A word is a token, a call is 10.
//
//   u20 a300 call:read result:read:80   entries
//   push:auth plan:docs start:docs      frames by their titles; the root is `root`
//   push:auth:90 plan:docs:90           with criteria of 90 words; plan:a:9:docs below that one
//   pop fail block invalidate:docs      results are `<title> is <status>`
//   pop:80 pop:80:20                    with results of 80 words, of which that is the brief; with 20 artifacts
//   goal:30                             a goal of 30 words
//   checkpoint:120                      replaces the entries so far of the active frame
//   cleared:e4 short:e5:20 closed       a result, a long entry, a unit without its results
//   offloaded:e1,e3                     human entries, each with a quote
//   told:12,9                           what left, in lines of so many words; the first is worth most
//   epoch                               lays the sections out anew

/** A session that was played: its state, and the texts that this names. */
export interface Played {
  readonly state: State;
  readonly bodies: Bodies;
}

/** Words of a text, as a count of tokens. */
export const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** What a layout of a played session takes, by default without scaling. */
export function layoutContext({ bodies }: Played, factor = 1): Parameters<typeof layOut>[1] {
  return {
    count: words,
    bodies,
    factor,
    quoted: (quote) => words(quoted(quote)),
    write: (text) => (bodies as Texts).write(text),
    part: atOnce,
  };
}

/** The session of a line, in a window of 1,000 without reserve unless told. */
export function play(line: string, options: Partial<Options> = {}): Played {
  const bodies = new Texts();
  const given = resolveOptions({ window: 1_000, reserve: 0, ...options }, null);
  const identity = { title: 'root', criteria: '', brief: '' };
  const system = words(given.system);
  const created = {
    type: 'session.created',
    session: 's',
    options: given,
    system,
    identity,
  } as const;
  let state = evolve(null, created, { at: 0, lifecycles });
  const steps = line.split(/\s+/).filter((word) => word !== '');
  const messages = parseLog(steps.filter(isEntry).join(' '));
  for (const step of steps) {
    const fact = isEntry(step)
      ? appended(state, bodies, messages.shift()!)
      : decided(state, bodies, step);
    state = evolve(state, fact, { at: 0, lifecycles });
  }
  return { state, bodies };
}

class Texts implements Bodies {
  readonly messages: Message[] = [];
  readonly texts: string[] = [];
  message(n: number): Message {
    return this.messages[n - 1]!;
  }
  text(id: TextId): string {
    return this.texts[ordinal(id) - 1]!;
  }
  short(id: TextId): Message {
    return JSON.parse(this.text(id)) as Message;
  }
  write(text: string): TextId {
    return textId(this.texts.push(text));
  }
}

const isEntry = (step: string): boolean => /^(?:[uam]\d+$|call:|result:)/.test(step);

function appended(state: State, bodies: Texts, message: Message): Fact {
  const n = bodies.messages.push(message);
  const name = message.role === 'tool' ? message.name : undefined;
  const open = state.calls.find((call) => !call.closed && call.name === name);
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const tokens = calls.length * 10 + words(textOf(message.content));
  return {
    type: 'entry.appended',
    entry: entryId(n),
    frame: open?.frame ?? state.active,
    role: message.role,
    human: message.role === 'user' && message.origin !== 'machine',
    form: message.role === 'tool' && open === undefined ? 'stray' : 'whole',
    tokens,
    shown: tokens,
    exact: true,
    hash: `h${n}`,
    unit: open?.n ?? n,
    ...(calls.length > 0 && { calls: calls.map(({ id, name }) => ({ id: id!, name })) }),
    ...(open !== undefined && { call: open.id }),
  };
}

function decided(state: State, bodies: Texts, step: string): Fact {
  const [type, what = '', tokens = '', below = ''] = step.split(':');
  const decide = decisions[type!];
  if (decide === undefined) throw new Error(`No step "${step}"`);
  return decide(state, bodies, { what, tokens: Number(tokens), below });
}

type Decide = (
  state: State,
  bodies: Texts,
  step: { what: string; tokens: number; below: string },
) => Fact;

const decisions: Readonly<Record<string, Decide>> = {
  push: (state, bodies, { what, tokens }) => ({
    type: 'frame.pushed',
    ...newFrame(state, what, tokens),
    partial: partialOf(state, bodies),
  }),
  plan: (state, _, { what, tokens, below }) => ({
    type: 'frame.planned',
    ...newFrame(state, what, tokens),
    ...(below !== '' && { parent: titled(state, below) }),
  }),
  start: (state, bodies, { what }) => ({
    type: 'frame.started',
    frame: titled(state, what),
    partial: partialOf(state, bodies),
  }),
  pop: (state, bodies, step) => popped(state, bodies, { status: 'completed', ...step }),
  fail: (state, bodies, step) => popped(state, bodies, { status: 'failed', ...step }),
  block: (state, bodies, step) => popped(state, bodies, { status: 'blocked', ...step }),
  invalidate: (state, _, { what }) => ({
    type: 'frame.invalidated',
    frame: titled(state, what),
    reason: 'no longer needed',
  }),
  goal: (_, __, { what }) => ({ type: 'goal.set', goal: newGoal(prose(what)) }),
  checkpoint: (state, bodies, { what }) => {
    const { items } = state.views.get(state.active)!;
    const [recent] = checkpoints(`recent ${what}`);
    const checkpoint = {
      ...recent!,
      id: checkpointId(state.checkpointCount + 1),
      text: bodies.write(prose(what)),
      from: entryId(items[0]!.n),
      to: entryId(items.at(-1)!.n),
      entries: items.length,
    };
    return { type: 'checkpoint.created', frame: state.active, checkpoint };
  },
  cleared: ({ active: frame }, _, { what }) => ({
    type: 'entry.cleared',
    frame,
    entries: what.split(',').map((id) => [ordinal(id), 5]),
  }),
  short: ({ active: frame }, bodies, { what, tokens }) => {
    const message = { ...bodies.message(ordinal(what)), content: '[…]' };
    const text = bodies.write(JSON.stringify(message));
    return { type: 'entry.shortened', frame, entry: entryId(ordinal(what)), text, tokens };
  },
  closed: ({ active: frame, calls }) => ({
    type: 'unit.closed',
    frame,
    calls: calls
      .filter(({ closed }) => !closed)
      .map(({ id, name, n }) => ({ id, name, n, tokens: 10 })),
  }),
  offloaded: ({ active: frame }, _, { what }) => {
    const entries = what.split(',').map((id) => entryId(ordinal(id)));
    const quotes = entries.map((id) => ({ n: ordinal(id), text: `never ${id}`, rank: 0, at: 0 }));
    return { type: 'entry.offloaded', frame, entries, quotes };
  },
  told: ({ active: frame, entryCount: n, chronicle, newest, compressions }, bodies, { what }) => {
    const texts = what.split(',').map(prose);
    const lines = texts.map((text, row): Line => ({
      n,
      to: n,
      turn: newest?.n ?? 0,
      kind: 'said',
      text,
      file: '',
      tokens: words(text),
      worth: texts.length - row,
    }));
    const source = bodies.write(texts.join('\n'));
    const given = { frame, source, after: chronicle.made, compressions, names: [] };
    return {
      type: 'chronicle.written',
      frame,
      root: '',
      source,
      lines: keptLines(lines, given),
      events: [],
    };
  },
  epoch: (state, bodies) => ({
    type: 'epoch.raised',
    ...layOut(state, layoutContext({ state, bodies })),
  }),
};

const prose = (count: string): string => textOf(parseLog(`u${count}`)[0]!.content);

function newFrame(
  { active: parent, frames }: State,
  title: string,
  length = 0,
): Pick<FactOf<'frame.planned'>, 'frame' | 'parent' | 'identity'> {
  const brief = `${title} works`;
  const criteria = length > 0 ? prose(String(length)) : brief;
  return { frame: frameId(frames.length), parent, identity: { title, criteria, brief } };
}

/** The newest frame of a title. */
function titled({ frames }: State, title: string): FrameId {
  return members(frames).findLast((frame) => frame.title === title)!.id;
}

function partialOf({ active, views }: State, bodies: Texts): Digest | null {
  const items = views.get(active)!.items;
  if (items.length === 0) return null;
  const text = bodies.write('so far');
  const [from, to] = [entryId(items[0]!.n), entryId(items.at(-1)!.n)];
  return { text, tokens: 2, brief: 'so far', from, to, by: 'embedded' };
}

function popped(
  { active: frame, frames }: State,
  bodies: Texts,
  { status, what, tokens }: { status: FrameStatus; what: string; tokens: number },
): FactOf<'frame.popped'> {
  const { title } = frameOf(frames, frame);
  const brief = `${title} is ${status}`;
  const text = what === '' ? brief : prose(what);
  const results = {
    text: bodies.write(text),
    tokens: words(text),
    brief,
    artifacts: Array.from({ length: tokens }, (_, n) => `src/${title}/file${n}.ts`),
    decisions: [],
    by: 'person',
  };
  const reason = status === 'completed' ? null : 'it broke';
  return { type: 'frame.popped', frame, status, results, reason, dropped: [], quotes: [] };
}
