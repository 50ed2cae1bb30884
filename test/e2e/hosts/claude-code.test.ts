import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Body } from '../provider.ts';
import { isCompaction, messagesOf, startClaudeProvider } from './claude-provider.ts';
import {
  answered,
  asked,
  filesIn,
  killedAt,
  logOf,
  newPlace,
  picture,
  programAt,
  resultsOf,
} from './host.ts';
import type { Call, Script } from './script.ts';

// The real Claude Code, which CLAUDE_CODE or the PATH leads to (`node scripts/agents.mjs` fetches it), at a scripted model.

const program = programAt('CLAUDE_CODE', 'claude');
const where =
  program === null ? ': set CLAUDE_CODE to its program, or put `claude` on the PATH' : '';

const bash = (command: string): Call => ({ name: 'Bash', input: { command, description: 'Work' } });
const own = (name: string, input: Body = {}): Call => ({
  name: `mcp__flamestack__${name}`,
  input,
});
const reading = ['recall', 'recovery', 'frame_status'].map((name) => own(name).name);

const errand = { description: 'Errand', prompt: 'Count part 90', run_in_background: false };

const script: Script = (said) => {
  const [, part, path] = /Count part (\d+)|Look at (\S+)/.exec(said) ?? [];
  if (part !== undefined) return [[bash(`seq ${part}000 ${part}900`), bash(`echo part ${part}`)]];
  if (path !== undefined) return [[{ name: 'Read', input: { file_path: path } }]];
  if (said.includes('Hand on')) return [[{ name: 'Agent', input: errand }]];
  if (!said.includes('Recall')) return [];
  return [
    [{ name: 'ToolSearch', input: { query: `select:${reading.join()}`, max_results: 5 } }],
    [own('recall', { query: 'rule' }), own('recovery'), own('frame_status')],
    [own('recall', { query: 'e1' })],
  ];
};

test.skipIf(program === null)(`a life in Claude Code, and nothing is lost${where}`, async () => {
  await using provider = await startClaudeProvider(script);
  const place = newPlace(program!, ({ home }) => ({
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
  }));
  const image = picture(place);
  mkdirSync(join(place.project, '.claude'));
  writeFileSync(
    join(place.project, '.claude/settings.local.json'),
    '{\r\n\t"model": "opus"\r\n}\r\n',
  );
  const before = filesIn(place.project);
  place.flamestack('install', 'claude-code', '--yes');
  const words = ['--allowedTools', 'Bash,Agent,Read', '-p'];
  const said: string[] = [];
  const ask = async (text: string): Promise<void> => {
    const { code, err } = await place.run(...(said.length === 0 ? [] : ['-c']), ...words, text);
    expect(code, err).toBe(0);
    said.push(text);
  };
  await ask('Rule one: the answer is 4242. Count part 1');
  await ask(`Look at ${image}`);
  await ask('Hand on the errand');
  await ask('Recall the rule');
  const recalled = provider.taken.at(-1)!;
  const hung = await killedAt(provider, () => place.start('-c', ...words, 'Think for ever'));
  said.push('Think for ever');
  await ask('Count part 2');
  provider.overflow('prompt is too long: 210000 tokens > 200000 maximum');
  await ask('Count part 3');
  await ask('/compact keep the numbers');
  await ask('Count part 4');
  await ask('The end');

  expect(provider.refused).toEqual([]);
  const compactions = provider.taken.filter(isCompaction);
  expect(compactions).toHaveLength(2);
  for (const body of compactions) {
    expect(JSON.stringify(body['messages'].at(-1))).toContain('kept word for word outside of it');
    const next = provider.taken[provider.taken.indexOf(body) + 1]!;
    const added = (next['messages'] as Body[]).find(isAdded);
    expect(JSON.stringify(added)).toMatch(/\[e1( person)?\] Rule one: the answer is 4242\./);
  }
  // The model reads the text, with its lines.
  expect(resultsIn(recalled)).toContainEqual(
    expect.stringMatching(/^Session \S+:\n\[e1: user, frame f0\]\nRule one: the answer is 4242/),
  );

  const log = await logOf(place, 'The end');
  expect(asked(log)).toEqual(said);
  const unsaid = [hung, ...compactions.map((body) => provider.taken.indexOf(body) + 1)];
  const all = provider.taken.map((_, at) => at + 1).filter((n) => !unsaid.includes(n));
  expect(answered(log).toSorted((a, b) => a - b)).toEqual(all);
  const main = answered(log.filter(({ frame }) => frame === 'f0'));
  expect(main).toEqual(main.toSorted((a, b) => a - b));
  expect(answered(log.filter(({ frame }) => frame === 'f1'))).toHaveLength(2);
  expect(new Set(Object.values(resultsOf(log)))).toEqual(new Set([1]));
  expect(JSON.stringify(log).match(/"mediaType":"image\/png"/g)).toHaveLength(1);
  expect(log.find(({ content }) => content === 'Done 2.')).toMatchObject({
    thinking: 'Thought 2.',
  });

  place.flamestack('uninstall', 'claude-code', '--yes');
  expect(filesIn(place.project)).toEqual(before);
});

/** Whether the host put in what a hook answered. */
const isAdded = (message: Body): boolean =>
  JSON.stringify(message).includes('Flamestack keeps all of this session') &&
  !JSON.stringify(message).includes('tool_result');

/** What tools answered, as a request holds it. */
const resultsIn = (body: Body): readonly string[] =>
  messagesOf(body).flatMap(({ content }) =>
    (content as Body[]).flatMap(({ type, content: result }) => {
      if (type !== 'tool_result') return [];
      return typeof result === 'string' ? [result] : result.map(({ text }: Body) => text as string);
    }),
  );
