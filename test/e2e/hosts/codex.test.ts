import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Body } from '../provider.ts';
import { isCompaction, startCodexProvider } from './codex-provider.ts';
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

// The real Codex, which CODEX or the PATH leads to (`node scripts/agents.mjs` fetches it), at a scripted model.

const program = programAt('CODEX', 'codex');
const where = program === null ? ': set CODEX to its program, or put `codex` on the PATH' : '';

const bash = (cmd: string): Call => ({ name: 'exec_command', input: { cmd } });
const own = (name: string, input: Body = {}): Call => ({
  name,
  input,
  namespace: 'mcp__flamestack',
});

const script: Script = (said) => {
  const [, part, path] = /Count part (\d+)|Look at (\S+)/.exec(said) ?? [];
  if (part !== undefined) return [[bash(`seq ${part}000 ${part}900`), bash(`echo part ${part}`)]];
  if (path !== undefined) return [[{ name: 'view_image', input: { path } }]];
  if (!said.includes('Recall')) return [];
  return [[own('recall', { query: 'rule' }), own('recovery'), own('frame_status')]];
};

const config = (url: string): string => `model = "scripted" # mine
model_provider = "fake"
model_auto_compact_token_limit = 14000

[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
`;

test.skipIf(program === null)(`a life in Codex, and nothing is lost${where}`, async () => {
  await using provider = await startCodexProvider(script);
  const place = newPlace(program!, ({ home }) => ({ CODEX_HOME: join(home, '.codex') }));
  const home = join(place.home, '.codex');
  mkdirSync(home);
  writeFileSync(join(home, 'config.toml'), config(provider.url));
  const image = picture(place);
  const before = filesIn(home);
  place.flamestack('install', 'codex', '--yes');
  const words = [
    '--skip-git-repo-check',
    '--json',
    '--dangerously-bypass-approvals-and-sandbox',
    '--dangerously-bypass-hook-trust',
  ];
  const said: string[] = [];
  const ask = async (text: string): Promise<number | null> => {
    const go = said.length === 0 ? ['exec'] : ['exec', 'resume', '--last'];
    said.push(text);
    return (await place.run(...go, ...words, text)).code;
  };
  expect(await ask('Rule one: the answer is 4242. Count part 1')).toBe(0);
  await ask(`Look at ${image}`);
  // On a busy machine Codex asks before the server of the tools is there.
  const isRead = (): boolean => outputsIn(provider.taken).some((text) => recalled.test(text));
  for (let tries = 0; tries < 4 && !isRead(); tries += 1) await ask('Recall the rule');
  const hung = await killedAt(provider, () =>
    place.start('exec', 'resume', '--last', ...words, 'Think for ever'),
  );
  said.push('Think for ever');
  for (let part = 2; part < 6; part += 1) await ask(`Count part ${part}`);
  provider.overflow(
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
  );
  const overflown = provider.taken.length;
  await ask('Count part 6');
  expect(isCompaction(provider.taken[overflown]!)).toBe(true);
  await ask('The end');

  expect(provider.refused).toEqual([]);
  // What was killed may have been one: where the tools came late, the context is full by then.
  const compactions = provider.taken.filter((body, at) => isCompaction(body) && at + 1 !== hung);
  expect(compactions.length).toBeGreaterThan(1);
  for (const body of compactions) {
    const next = provider.taken[provider.taken.indexOf(body) + 1]!;
    const added = (next['input'] as Body[]).filter(({ role }) => role === 'developer').at(-1);
    expect(JSON.stringify(added)).toMatch(/\[e\d+( person)?\] Rule one: the answer is 4242\./);
  }
  // The model reads the text, with its lines.
  expect(isRead()).toBe(true);

  const log = await logOf(place, 'The end');
  expect(asked(log)).toEqual(said);
  const unsaid = [hung, ...compactions.map((body) => provider.taken.indexOf(body) + 1)];
  const all = provider.taken.map((_, at) => at + 1).filter((n) => !unsaid.includes(n));
  expect(answered(log).filter((n) => !unsaid.includes(n))).toEqual(all);
  expect(new Set(Object.values(resultsOf(log)))).toEqual(new Set([1]));
  expect(JSON.stringify(log).match(/"mediaType":"image\/png"/g)).toHaveLength(1);
  expect(log.find(({ content }) => content === 'Done 2.')).toMatchObject({
    thinking: 'Thought 2.',
  });

  place.flamestack('uninstall', 'codex', '--yes');
  const after = filesIn(home);
  expect(after[join(home, 'config.toml')]).toBe(before[join(home, 'config.toml')]);
  expect(after).not.toHaveProperty([join(home, 'hooks.json')]);
});

/** What `recall` answers, with its lines. */
const recalled = /^Session \S+:\n[^]*\[e\d+: user\]\nRule one: the answer is 4242/;

/** The texts that servers of tools answered, as requests hold them. */
const outputsIn = (bodies: readonly Body[]): readonly string[] =>
  bodies.flatMap(({ input }) =>
    (input as Body[]).flatMap(({ output }) =>
      Array.isArray(output) ? output.map(({ text = '' }: Body) => text as string) : [],
    ),
  );
