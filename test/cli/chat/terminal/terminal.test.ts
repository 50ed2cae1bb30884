import { existsSync } from 'node:fs';
import llama3 from 'llama3-tokenizer-js';
import { beforeAll, expect, test } from 'vitest';
import { openStore, type LogEntry } from '../../../../src/index.ts';
import {
  startOllamaServer,
  type OllamaAsked,
  type OllamaReply,
} from '../../../../src/testing/index.ts';
import { build, hasPty, terminal, writing, type Terminal } from '../../pty.ts';
import { newFolder } from '../../../store/folder.ts';

// A person at a terminal, a model on a server, a small window, and two power cuts.

const turns = Number(process.env['CHAT_TURNS'] ?? 24);
const model = 'llama3.2:3b';
const count = (text: string): number => llama3.encode(text, { bos: false, eos: false }).length;

const isSummary = ({ messages }: OllamaAsked): boolean =>
  messages[0]?.content?.startsWith('You write summaries') === true;

/** What the line of the context says when a turn is over. */
const left = /(?:tokens|nothing) left/;

/** What the model says in turn `n`: prose, and every so often a tool. */
function saidIn(n: number): OllamaReply {
  const call = (name: string, given: object): OllamaReply => ({
    content: `Step ${n}.`,
    toolCalls: [{ name, arguments: { ...given } }],
  });
  if (n % 12 === 2) return call('frame_push', { title: `Part ${n}`, criteria: 'its tests pass' });
  if (n % 12 === 5)
    return call('goal_update', { description: 'Ship the parser', next: [`step ${n}`] });
  if (n % 12 === 7) return call('read_file', { path: 'package.json' });
  if (n % 12 === 10)
    return call('frame_pop', { status: 'completed', results: `Part done in ${n}` });
  const line = `The parser in src/module-${n}.ts takes token ${n} now, and its test passes. `;
  return { content: line.repeat(8 + (n % 7)) };
}

function reply(asked: OllamaAsked): OllamaReply {
  if (isSummary(asked))
    return { content: 'Findings and decisions:\n- The parser takes tokens\nNext steps:\n- go on' };
  const last = asked.messages.findLast(({ role }) => role !== 'assistant')!;
  if (last.role === 'tool') return { content: 'So it is.' };
  const n = Number(/turn (\d+)/.exec(last.content ?? '')?.[1] ?? 0);
  return saidIn(n);
}

beforeAll(build);

test.runIf(hasPty)(
  `a person talks for ${turns} turns in a window of 4,000 tokens, through two power cuts`,
  async () => {
    const folder = await newFolder();
    await using server = await startOllamaServer({
      models: { [model]: { contextLength: 131_072, capabilities: ['completion', 'tools'], count } },
      reply,
    });
    const words = ['chat', '--host', server.url, '--window', '4000', '--frames', '--store', folder];
    const open = async (...more: readonly string[]): Promise<Terminal> => {
      const screen = terminal([...words, '--tools', 'files', '--yes', ...more]);
      await screen.until(left);
      return screen;
    };
    let screen = await open('--new');
    for (let n = 1; n <= turns; n += 1) {
      const isCut = n === Math.floor(turns / 3) || n === Math.floor((2 * turns) / 3);
      screen.type(`This is turn ${n} of the talk`);
      await screen.until(isCut ? `turn ${n}` : left);
      if (!isCut) continue;
      await screen.kill();
      screen = await open();
      expect(screen.text).toMatch(/Last used .* turns? · goal: Ship the parser/);
    }
    screen.press('\x04');
    expect(await screen.ended).toBe(0);
    expect(screen.text).toContain('flamestack chat chat-');
    await judge(folder);
    const prompts = server.log.filter(
      ({ path, body }) => path === '/api/chat' && body.messages?.length,
    );
    expect(prompts.filter(({ status }) => status === 400)).toEqual([]);
    expect(prompts.filter(({ dropped, middle }) => dropped.length + middle > 0)).toEqual([]);
    expect(new Set(prompts.map(({ numCtx }) => numCtx))).toEqual(new Set([4_000]));
  },
  20_000 + turns * 4_000,
);

/** Nothing that was said is lost or there twice, and the window was compressed on the way. */
async function judge(folder: string): Promise<void> {
  await using store = await openStore(folder);
  const ids: string[] = [];
  for await (const { id } of store.sessions()) ids.push(id);
  expect(ids.length).toBe(1);
  const session = await store.open(ids[0]!);
  const entries: LogEntry[] = [];
  for await (const entry of session.log()) entries.push(entry);
  const said = entries.filter(({ role }) => role === 'user').map(({ content }) => content);
  const wanted = Array.from({ length: turns }, (_, n) => `This is turn ${n + 1} of the talk`);
  const missing = wanted.filter((text) => !said.includes(text));
  // A message typed in the moment of a power cut may not have been acknowledged yet.
  expect(missing.length).toBeLessThanOrEqual(2);
  expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
  if (turns >= 20) expect(session.state.compressions).toBeGreaterThan(0);
  expect(session.state.goal?.description).toBe('Ship the parser');
  expect(session.frames.tree().children.length).toBeGreaterThan(0);
  expect(session.state.budget.count).toBe('measured');
}

test.runIf(existsSync('/dev/full'))(
  'results that a full disk does not take are one line, and the exit code is 1',
  () => {
    const told = writing('/dev/full', ['--help']);
    expect([told.status, told.stderr]).toEqual([
      1,
      'flamestack: The results cannot be written: no space left on device\n  What is written so far is not all of it.\n',
    ]);
    const { status, stderr } = writing('/dev/full', ['--help', '--json']);
    expect([status, JSON.parse(stderr)]).toMatchObject([
      1,
      { code: 'OUTPUT_FAILED', detail: { reason: 'ENOSPC' }, exit: 1 },
    ]);
  },
);
