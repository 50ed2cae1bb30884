import { fauxAssistantMessage, fauxToolCall, type Message } from '@mariozechner/pi-ai';
import { expect, test } from 'vitest';
import { countTokens, openStore, type LogEntry } from '../../../src/index.ts';
import { newFolder } from '../../store/folder.ts';
import { flamestackExtension } from '../../../src/pi.ts';
import { startPi, textOf, type Pi } from './pi.ts';

const bash = (command: string) =>
  fauxAssistantMessage([fauxToolCall('bash', { command })], { stopReason: 'toolUse' });

/** Works for so many turns, each with a command of much output. */
async function work(pi: Pi, turns: number, from = 0): Promise<void> {
  for (let turn = from; turn < from + turns; turn += 1) {
    pi.answer(
      bash(`seq ${turn * 300} ${turn * 300 + 250}`),
      fauxAssistantMessage(`Counted ${turn}.`),
    );
    await pi.prompt(`Rule ${turn}: keep the number ${turn * 7919}. Count part ${turn}.`);
  }
}

/** What the log of a session of pi has. */
async function logOf(store: string, pi: Pi): Promise<LogEntry[]> {
  await pi.quit();
  await using open = await openStore(store);
  const session = await open.open(`pi-${pi.session.sessionManager.getSessionId()}`);
  const log: LogEntry[] = [];
  for await (const entry of session.log()) log.push(entry);
  return log;
}

/** Calls without a result behind them, and results without a call before them. */
function unpaired(messages: readonly Message[]): readonly string[] {
  const open = new Set<string>();
  const wrong: string[] = [];
  for (const message of messages) {
    if (message.role === 'toolResult' && !open.delete(message.toolCallId))
      wrong.push(`result ${message.toolCallId}`);
    if (message.role === 'assistant')
      for (const block of message.content) if (block.type === 'toolCall') open.add(block.id);
  }
  return [...wrong, ...open];
}

const tokensOf = (messages: readonly Message[]): Promise<number> =>
  countTokens(messages.map(textOf).join('\n'));

test('a long session fits the window in every request, and keeps what people said', async () => {
  const store = await newFolder();
  const window = 12_000;
  const pi = await startPi({ extension: flamestackExtension({ store }), window });
  await work(pi, 30);
  expect(pi.notices).toEqual([]);
  expect(pi.sent).toHaveLength(60);
  for (const messages of pi.sent) {
    expect(await tokensOf(messages)).toBeLessThan(window);
    expect(unpaired(messages)).toEqual([]);
  }
  const last = pi.sent.at(-1)!.map(textOf).join('\n');
  for (let turn = 0; turn < 30; turn += 1) expect(last).toContain(`the number ${turn * 7919}.`);
  expect(pi.status.get('flamestack')).toMatch(/ of 10k tokens · \d+ compressed$/);
  expect(await logOf(store, pi)).toHaveLength(30 * 4);
});

test('a compaction that a person asks for takes no call of the model', async () => {
  const pi = await startPi({ extension: flamestackExtension({ store: await newFolder() }) });
  await work(pi, 6);
  pi.answer(fauxAssistantMessage('never asked'));
  const { summary } = await pi.session.compact('the number 7919');
  expect(pi.sent).toHaveLength(12);
  expect(summary).toContain('Rule 1: keep the number 7919');
  pi.answer(fauxAssistantMessage('On it.'));
  await pi.prompt('Go on');
  const sent = pi.sent.at(-1)!.map(textOf);
  expect(sent.at(-1)).toBe('Go on');
  expect(sent.join('\n')).toContain('Rule 0: keep the number 0');
  expect(sent.join('\n')).not.toContain('was compacted into the following summary');
  expect(pi.notices).toEqual([]);
});

test('what the provider finds too long is sent again, shorter and with the question in it', async () => {
  const pi = await startPi({ extension: flamestackExtension({ store: await newFolder() }) });
  await work(pi, 14);
  pi.answer(
    fauxAssistantMessage('', {
      stopReason: 'error',
      errorMessage: 'prompt is too long: 16200 tokens > 8000 maximum',
    }),
    fauxAssistantMessage('Seven.'),
  );
  const before = pi.sent.length;
  await pi.prompt('What is rule 7 about?');
  await expect.poll(() => pi.sent.length).toBe(before + 2);
  const [refused, again] = pi.sent.slice(-2) as [readonly Message[], readonly Message[]];
  expect(await tokensOf(again)).toBeLessThan(8_000);
  expect(await tokensOf(again)).toBeLessThan(await tokensOf(refused));
  expect(again.map(textOf).at(-1)).toBe('What is rule 7 about?');
  expect(unpaired(again)).toEqual([]);
});

test('a frame that is entered beside another call keeps the result of that call where it was asked', async () => {
  const store = await newFolder();
  const pi = await startPi({ extension: flamestackExtension({ store }) });
  pi.answer(
    fauxAssistantMessage(
      [
        fauxToolCall('bash', { command: 'echo the plan' }),
        fauxToolCall('frame_push', { title: 'Parser', criteria: 'brackets nest' }),
      ],
      { stopReason: 'toolUse' },
    ),
    fauxAssistantMessage('In it.'),
  );
  await pi.prompt('Begin');
  expect(pi.notices).toEqual([]);
  const log = await logOf(store, pi);
  expect(log.map(({ role, frame }) => [role, frame])).toEqual([
    ['user', 'f0'],
    ['assistant', 'f0'],
    ['tool', 'f0'],
    ['tool', 'f0'],
    ['assistant', 'f1'],
  ]);
});

test('what left the window is found by the model and by a person', async () => {
  const pi = await startPi({
    extension: flamestackExtension({ store: await newFolder() }),
    window: 8_000,
  });
  await work(pi, 12);
  pi.answer(
    fauxAssistantMessage([fauxToolCall('recall', { query: 'number 23757' })], {
      stopReason: 'toolUse',
    }),
    fauxAssistantMessage('Rule 3.'),
  );
  await pi.prompt('Which rule was it?');
  expect(textOf(pi.sent.at(-1)!.at(-1)!)).toContain('Rule 3: keep the number 23757');
  await pi.prompt('/flame recall number 7919');
  expect(pi.notices.at(-1)).toContain('Rule 1: keep the number 7919');
  await pi.prompt('/flame');
  expect(pi.notices.at(-1)).toMatch(/of 6\.8k tokens/);
  await pi.prompt('/flame nonsense');
  expect(pi.notices.at(-1)).toContain('There is no "nonsense" here.');
});

test('where the store is in use pi goes on by itself, says so once, and all is recorded later', async () => {
  const store = await newFolder();
  const pi = await startPi({ extension: flamestackExtension({ store }) });
  const other = await openStore(store);
  pi.answer(fauxAssistantMessage('One.'), fauxAssistantMessage('Two.'));
  await pi.prompt('First');
  expect(pi.sent[0]!.map(textOf)).toEqual(['First']);
  expect(pi.notices).toHaveLength(1);
  expect(pi.notices[0]).toMatch(/^Flamestack: .*pi goes on by itself\.$/s);
  await other.close();
  await pi.prompt('Second');
  const log = await logOf(store, pi);
  expect(log.map(({ content }) => content)).toEqual(['First', 'One.', 'Second', 'Two.']);
});

test('two windows share a store', async () => {
  const store = await newFolder();
  const extension = flamestackExtension({ store });
  const windows = [await startPi({ extension }), await startPi({ extension })];
  await Promise.all(windows.map((pi) => work(pi, 3)));
  for (const pi of windows) expect(pi.notices).toEqual([]);
  for (const pi of windows) expect(await logOf(store, pi)).toHaveLength(12);
});

test('an answer that a person broke off leaves no call open', async () => {
  const pi = await startPi({ extension: flamestackExtension({ store: await newFolder() }) });
  pi.answer(
    fauxAssistantMessage([fauxToolCall('bash', { command: 'echo never' })], {
      stopReason: 'aborted',
    }),
    fauxAssistantMessage('Yes.'),
  );
  await pi.prompt('Begin');
  await pi.prompt('Still there?');
  expect(pi.notices).toEqual([]);
  expect(
    unpaired(pi.sent.at(-1)!.filter((m) => !('stopReason' in m && m.stopReason === 'aborted'))),
  ).toEqual([]);
  expect(textOf(pi.sent.at(-1)!.at(-1)!)).toBe('Still there?');
});

test('after a command of a person the store is free for others', async () => {
  const store = await newFolder();
  const pi = await startPi({ extension: flamestackExtension({ store }) });
  pi.answer(fauxAssistantMessage('One.'));
  await pi.prompt('First');
  await pi.prompt('/flame');
  await new Promise((resolve) => setTimeout(resolve, 600));
  await using other = await openStore(store);
  expect(other).toBeDefined();
});

test.each(['before', 'behind'])(
  'an extension %s ours that changes a result and adds a message has its way, in pairs',
  async (where) => {
    const ours = flamestackExtension({ store: await newFolder() });
    const pi = await startPi({
      extension: (host) => {
        if (where === 'behind') ours(host);
        host.on('context', ({ messages }) => ({
          messages: [
            ...messages.map((message) =>
              message.role === 'toolResult'
                ? { ...message, content: [{ type: 'text' as const, text: 'password ***' }] }
                : message,
            ),
            { role: 'user' as const, content: 'Be brief.', timestamp: 1 },
          ],
        }));
        if (where === 'before') ours(host);
      },
    });
    pi.answer(bash('echo password s3cret'), fauxAssistantMessage('Seen.'));
    await pi.prompt('Look');
    const last = pi.sent.at(-1)!;
    expect(unpaired(last)).toEqual([]);
    expect(last.map(textOf)).toEqual(['Look', '[toolCall]', 'password ***', 'Be brief.']);
  },
);

test('a hundred long prompts are compacted, and pi goes on', async () => {
  const pi = await startPi({
    extension: flamestackExtension({ store: await newFolder() }),
    window: 100_000,
  });
  for (let turn = 0; turn < 40; turn += 1) {
    pi.answer(fauxAssistantMessage(`Answer ${turn}. ${'It is so. '.repeat(120)}`));
    await pi.prompt(`Question ${turn}: ${'why is it so? '.repeat(75)}`);
  }
  const { summary } = await pi.session.compact();
  expect(summary.length).toBeLessThanOrEqual(9_800);
});
