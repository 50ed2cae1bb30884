import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf } from '../../src/core/messages/message.ts';
import { isEngineError, openStore, type LogEntry, type Store } from '../../src/index.ts';
import { draws } from '../draws.ts';
import { jsonl } from './told.ts';

// An agent writes its session file while it is read, at any byte of it. All of what it says has to be in the log once,
// in its order, however often and wherever it was read before.

/** What happens in a turn: what the model thinks, says and calls, one after the other. */
type Piece = 'think' | 'say' | 'call' | 'hook';

const turns = fc.array(
  fc.array(fc.array(fc.constantFrom<Piece>('think', 'say', 'call', 'hook'), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 3,
  }),
  { minLength: 1, maxLength: 3 },
);

const at = (n: number): string => new Date(Date.UTC(2026, 2, 1, 9, 0, n)).toISOString();

/** The records of a rollout of Codex: events between the items of an answer, a compaction after each turn. */
function codexRecords(life: readonly (readonly (readonly Piece[])[])[]): readonly object[] {
  let n = 0;
  const line = (type: string, payload: object) => ({ timestamp: at((n += 1)), type, payload });
  const item = (payload: object) => line('response_item', payload);
  const message = (role: string, text: string) =>
    item({ type: 'message', role, content: [{ type: 'output_text', text }] });
  const recordOf = (piece: Piece): object => {
    if (piece === 'hook') return message('developer', `Hook ${n}.`);
    if (piece === 'say') return message('assistant', `Word ${n} größe.`);
    if (piece === 'think')
      return item({
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: `Thought ${n}.` }],
      });
    return item({ type: 'function_call', name: 'ls', arguments: '{}', call_id: `c${n}` });
  };
  return [
    line('session_meta', { id: 's', cwd: '/w', base_instructions: { text: 'Be careful.' } }),
    ...life.flatMap((answers) => [
      line('turn_context', { cwd: '/w' }),
      message('user', `Ask ${n}?`),
      ...answers.flatMap((pieces) => {
        const records = pieces.map(recordOf);
        const ids = records.flatMap((one) => /"call_id":"(c\d+)"/.exec(JSON.stringify(one))?.[1]);
        return [
          ...records.flatMap((one) => [one, line('event_msg', { type: 'token_count' })]),
          ...ids
            .filter((id) => id !== undefined)
            .map((id) =>
              item({ type: 'function_call_output', call_id: id, output: `Result of ${id}.` }),
            ),
        ];
      }),
      line('compacted', { message: `Summary ${n}.`, replacement_history: [] }),
    ]),
  ];
}

/** The lines of a session file of Claude Code: each block of an answer on one of its own, results where they are had. */
function claudeRecords(life: readonly (readonly (readonly Piece[])[])[]): readonly object[] {
  const records: object[] = [];
  const add = (type: 'user' | 'assistant', message: object, more: object = {}): void => {
    const n = records.length;
    const parentUuid = n === 0 ? null : `u${n - 1}`;
    const place = { uuid: `u${n}`, parentUuid, sessionId: 's', timestamp: at(n) };
    records.push({ type, ...place, message: { role: type, ...message }, ...more });
  };
  for (const answers of life) {
    add('user', { content: `Ask ${records.length}?` });
    for (const pieces of answers) {
      const id = `m${records.length}`;
      for (const piece of pieces) {
        const n = records.length;
        const block = (content: object): void => add('assistant', { id, content: [content] });
        if (piece === 'hook') add('user', { content: `Hook ${n}.` }, { isMeta: true });
        if (piece === 'say') block({ type: 'text', text: `Word ${n} größe.` });
        if (piece === 'think') block({ type: 'thinking', thinking: `Thought ${n}.` });
        if (piece !== 'call') continue;
        block({ type: 'tool_use', id: `c${n}`, name: 'ls', input: {} });
        const content = `Result of c${n}.`;
        add('user', { content: [{ type: 'tool_result', tool_use_id: `c${n}`, content }] });
      }
    }
  }
  return records;
}

const hosts = { codex: codexRecords, 'claude-code': claudeRecords };

test.each(Object.entries(hosts))(
  '%s: read while it is written, at any byte, its log has all of it once',
  async (format, recordsOf) => {
    const cuts = fc.array(fc.noBias(fc.nat(1_000)), { minLength: 1, maxLength: 8 });
    const lineEnd = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(turns, cuts, lineEnd, async (life, places, end) => {
        const bytes = Buffer.from(`${jsonl(...recordsOf(life)).replaceAll('\n', end)}${end}`);
        const sizes = places
          .map((place) => Math.round((place * bytes.length) / 1_000))
          .sort((a, b) => a - b);
        await using store = await openStore(':memory:');
        await using whole = await openStore(':memory:');
        for (const size of [...sizes, bytes.length, bytes.length])
          await take(store, bytes.subarray(0, size), format);
        await take(whole, bytes, format);
        const [parts, all] = [await said(store), await said(whole)];
        expect(byTurn(parts)).toEqual(byTurn(all));
        for (const kind of ['user Ask', 'thought', 'assistant', 'call', 'tool'])
          expect(parts.filter(isOf(kind))).toEqual(all.filter(isOf(kind)));
        expect(parts.filter((line, at) => isEarly(line, parts.slice(0, at)))).toEqual([]);
      }),
      { numRuns: draws(120) },
    );
  },
);

test.each(Object.entries(hosts))(
  '%s: what was redacted does not come again',
  async (format, of) => {
    const bytes = Buffer.from(jsonl(...of([[['think', 'say', 'call']]])));
    await using store = await openStore(':memory:');
    await take(store, bytes, format);
    const session = await store.open('s');
    await session.redact('e2');
    const before = await said(store);
    await take(store, bytes, format);
    expect(await said(store)).toEqual(before);
  },
);

const isOf = (kind: string) => (line: string) => line.startsWith(kind);

/** What each turn of a log says; hooks may speak while calls are under way. */
function byTurn(lines: readonly string[]): readonly (readonly string[])[] {
  const starts = lines.flatMap((line, at) => (isOf('user Ask')(line) ? [at] : []));
  return starts.map((start, turn) => lines.slice(start, starts[turn + 1]).toSorted());
}

/** Whether a result stands before its call. */
function isEarly(line: string, before: readonly string[]): boolean {
  const [, id] = /^tool Result of (c\d+)/.exec(line) ?? [];
  return id !== undefined && !before.includes(`call ${id}`);
}

async function take(store: Store, bytes: Uint8Array, format: string): Promise<void> {
  try {
    expect((await store.import([bytes], { format })).late).toBeUndefined();
  } catch (error) {
    if (!isEngineError(error, 'IMPORT_EMPTY')) throw error;
  }
}

/** All that is said in a store's session, piece by piece. */
async function said(store: Store): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { id } of store.sessions())
    for await (const entry of (await store.open(id)).log()) lines.push(...piecesOf(entry));
  return lines;
}

function piecesOf(entry: LogEntry): readonly string[] {
  const texts = textOf(entry.content).split('\n').filter(Boolean);
  const own = texts.map((text) => `${entry.role} ${text}`);
  if (entry.role !== 'assistant') return own;
  const thoughts = (entry.thinking ?? '').split('\n').filter(Boolean);
  return [
    ...thoughts.map((text) => `thought ${text}`),
    ...own,
    ...(entry.toolCalls ?? []).map(({ id = '' }) => `call ${id}`),
  ];
}
