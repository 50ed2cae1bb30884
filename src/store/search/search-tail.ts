import { entryText, piecesOf } from '../../core/messages/message-text.ts';
import { isHuman, type Message } from '../../core/messages/message.ts';
import { dayOf } from '../../core/values/date.ts';
import { eachChunk } from '../../core/search/terms.ts';
import type { PositionSpan } from '../../core/values/span.ts';
import type { Carry, Complete } from './search-segment.ts';

/** An entry as search indexes it. */
export interface SearchableEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: Message;
}

/** How much of a log there is in a segment, or is to be. */
export interface SegmentSize {
  readonly entries: number;
  /** In UTF-16 units. */
  readonly text: number;
}

/** The size of segments; what is not in one yet is read again when a process first searches, until it is packed. */
export const segmentSize: SegmentSize = { entries: 1_024, text: 1_048_576 };

/** Whether so much is there. */
export const reaches = (size: SegmentSize, least: SegmentSize): boolean =>
  size.entries >= least.entries || size.text >= least.text;

/** Most calls whose tools are kept, for results that do not name theirs. */
const mostCalls = 256;

/** The end of the log, in memory, until it is long enough to be a segment. */
export class Tail implements Complete {
  readonly first: number;
  readonly starts: number[] = [0];
  readonly lengths: number[] = [];
  readonly postings = new Map<string, number[]>();
  terms = 0;
  #text = 0;
  #roles = '';
  readonly #at: number[] = [];
  readonly #tools: Record<string, number[]> = {};
  readonly #calls: Map<string, string>;
  readonly #lost: PositionSpan[];
  readonly #turnsBefore: number;
  #turns: number;

  constructor(first: number, carry: Carry = { turns: 0, calls: [] }) {
    this.first = first;
    this.#turns = carry.turns;
    this.#turnsBefore = carry.turns;
    this.#calls = new Map(carry.calls);
    this.#lost = [...(carry.lost ?? [])];
  }

  get last(): number {
    return this.first + this.starts.length - 2;
  }

  get detail(): Complete['detail'] {
    return {
      turns: this.#turnsBefore,
      roles: this.#roles,
      tools: this.#tools,
      at: this.#at,
    };
  }

  get carry(): Carry {
    const lost = this.#lost.length === 0 ? {} : { lost: [...this.#lost] };
    return { turns: this.#turns, calls: [...this.#calls], ...lost };
  }

  /** Entries up to the last that could not be read. */
  get lost(): readonly PositionSpan[] {
    return this.#lost;
  }

  /** Leaves the place of the next entry, which cannot be read, without a term. */
  skip(): void {
    const n = this.last + 1;
    const before = this.#lost.at(-1);
    if (before?.[1] === n - 1) this.#lost[this.#lost.length - 1] = [before[0], n];
    else this.#lost.push([n, n]);
    this.starts.push(this.lengths.length);
    this.#note(0, { role: 'user', origin: 'machine', content: '' }, []);
  }

  get size(): SegmentSize {
    return { entries: this.starts.length - 1, text: this.#text };
  }

  /** Adds the next entry, piece by piece; yields the length read so far, in UTF-16 units. */
  *add({ at, message }: SearchableEntry): Generator<number, void> {
    const { text, calls } = entryText(message);
    const tools = this.#toolsOf(message);
    const beside = [
      ...(message.role === 'tool' ? tools : []),
      Number.isFinite(at) ? dayOf(at) : '',
    ];
    let from = 0;
    for (const to of piecesOf(text)) {
      this.#addPiece(text, { from, to, calls, beside });
      yield to - from;
      from = to;
    }
    this.starts.push(this.lengths.length);
    this.#text += text.length;
    this.#note(at, message, tools);
  }

  #addPiece(
    text: string,
    piece: { from: number; to: number; calls: number; beside: readonly string[] },
  ): void {
    const { from, to, calls, beside } = piece;
    const number = this.lengths.length;
    let length = 0;
    const count = (terms: readonly string[]): void => {
      length += terms.length;
      for (const term of terms) this.#post(term, number);
    };
    if (from < calls) eachChunk(text, { from, to: Math.min(to, calls) }, count);
    if (to > calls) eachChunk(text, { from: Math.max(from, calls), to, escaped: true }, count);
    for (const word of beside) eachChunk(word, {}, (terms) => count(terms.slice(0, 1)));
    this.lengths.push(length);
    this.terms += length;
  }

  /** Notes a term of the piece at hand, the last one. */
  #post(term: string, piece: number): void {
    const held = this.postings.get(term);
    if (held === undefined) this.postings.set(term, [piece, 1]);
    else if (held[held.length - 2] === piece) held[held.length - 1]! += 1;
    else held.push(piece, 1);
  }

  #note(at: number, message: Message, tools: readonly string[]): void {
    const offset = this.#at.length;
    this.#at.push(at);
    this.#roles += letterOf(message);
    if (isHuman(message)) this.#turns += 1;
    for (const tool of new Set(tools)) {
      const held = Object.hasOwn(this.#tools, tool) ? this.#tools[tool]! : [];
      held.push(offset);
      Object.defineProperty(this.#tools, tool, { value: held, enumerable: true, writable: true });
    }
  }

  /** The tools that an entry calls, or the one that it answers. */
  #toolsOf(message: Message): readonly string[] {
    if (message.role === 'user') return [];
    if (message.role === 'tool') {
      const tool = message.name ?? this.#calls.get(message.toolCallId ?? '');
      return tool === undefined ? [] : [tool];
    }
    const calls = message.toolCalls ?? [];
    for (const { id, name } of calls) {
      if (id === undefined) continue;
      this.#calls.delete(id);
      this.#calls.set(id, name);
      if (this.#calls.size > mostCalls) this.#calls.delete(this.#calls.keys().next().value!);
    }
    return calls.map(({ name }) => name);
  }
}

const letterOf = (message: Message): string => {
  if (message.role === 'user') return isHuman(message) ? 'p' : 'm';
  return message.role === 'assistant' ? 'a' : 't';
};
