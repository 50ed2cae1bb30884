import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The linter and two nested tsconfigs keep the directions of imports. Here
// violations are planted in a copy of the layout, so that a fence that stopped
// reporting is noticed. Each plant is one file: where, what, and what is said.

interface Plant {
  readonly title: string;
  readonly path: string;
  readonly code: string;
  /** What is reported, in order; nothing where it is legal. */
  readonly says: readonly string[];
}

const core = 'core imports only its neighbours.';
const search = 'core imports only its neighbours and stemmer.';
const above = 'a room imports only the rooms above it.';
const pure = 'the pure half of the engine knows no store, no model and no Node.';
const access = 'take a SessionReader, a CommandSession or a SessionWriter, not the whole session.';
const user = 'tools see a session as its users do.';
const stranger = "a machine of somebody's own knows nothing of sessions.";
const machines = 'machines import core and xstate.';
const shell = "the shell's parts import core, never one another.";
const engine = 'the engine imports nothing that is built on it.';
const judge = 'a judge uses the public API: import src/index.ts.';
const product = 'the product uses none of its tools.';
const adapter = 'an adapter uses the public API and the converters.';
const command = 'an adapter knows no command.';
const edges = 'the edges use the public API: import ../index.ts.';

const plants: readonly Plant[] = [
  ...imports(
    'src/core',
    [core],
    [
      '../engine/engine.ts',
      '../store/store.ts',
      '../../machines/index.ts',
      'node:fs',
      'xstate',
      'level',
    ],
  ),
  ...imports('src/core', [], ['./neighbor.ts', './values/id.ts']),
  ...imports('src/core/text', [core], ['../../engine/open/open-store.ts', 'node:fs', 'stemmer']),
  ...imports('src/core/search', [search], ['node:fs', 'stem', 'stemmer/index.js', 'stemmers']),
  ...imports('src/core/search', [], ['./rank.ts', '../values/top-k.ts', 'stemmer']),
  ...['step', 'compression', 'decide', 'inspect'].flatMap((room) => [
    ...imports(
      `src/engine/${room}`,
      [pure],
      ['node:fs', '../../store/store.ts', '../../llm/summarizer.ts', '../../tokenizer/tiktoken.ts'],
    ),
    ...imports(
      `src/engine/${room}`,
      [],
      ['../../core/state/state.ts', '../../../machines/index.ts', 'xstate'],
    ),
  ]),
  ...imports('src/engine/journal', [], ['../../store/store.ts', 'node:fs']),
  ...['recall', 'commands', 'sync', 'session', 'import'].flatMap((room) => [
    ...imports(
      `src/engine/${room}`,
      [access],
      ['../live/live-session.ts', '../live/live-sessions.ts'],
    ),
    ...imports(`src/engine/${room}`, [], ['../live/session-access.ts', '../live/listeners.ts']),
  ]),
  ...imports('src/engine/tools', [user], ['../live/live-session.ts']),
  ...imports('src/engine/open', [above], ['../durable/durable.ts']),
  ...imports(
    'src/engine/durable',
    [stranger],
    ['../decide/decide.ts', '../session/session.ts', '../live/live-session.ts'],
  ),
  ...imports('src/engine/durable', [], ['../open/open-store.ts', '../live/clock.ts', 'xstate']),
  ...imports(
    'machines',
    [machines],
    [
      '../src/engine/engine.ts',
      '../src/cli/main.ts',
      '../src/index.ts',
      '../test/stage.ts',
      'node:fs',
      'level',
      'xss',
    ],
  ),
  ...imports('machines', [], ['../src/core/frame.ts', './port.ts', 'xstate', 'xstate/graph']),
  ...imports(
    'src/store',
    [shell],
    ['../llm/summarizer.ts', '../engine/engine.ts', '../index.ts', '../../machines/index.ts'],
  ),
  ...imports('src/store/deep', [shell], ['../../tokenizer/tokenizer.ts']),
  ...imports('src/llm', [shell], ['../store/store.ts', '../tokenizer/tokenizer.ts']),
  ...imports('src/tokenizer', [shell], ['../import/step.ts', '../cli/main.ts']),
  ...imports('src/import', [shell], ['../engine/engine.ts', '../testing/index.ts']),
  ...imports('src/store', [], ['../core/error.ts', './key.ts', 'level', 'node:fs']),
  ...imports('src/import', [], ['../core/message.ts', './step.ts', 'node:readline']),
  ...imports('src/engine', [engine], ['../cli/main.ts', '../index.ts', '../testing/index.ts']),
  ...imports(
    'src/engine',
    [],
    [
      '../core/state.ts',
      '../store/store.ts',
      '../llm/summarizer.ts',
      '../tokenizer/tokenizer.ts',
      '../import/step.ts',
      '../../machines/index.ts',
    ],
  ),
  ...imports(
    'tools/eval',
    [judge],
    [
      '../../src/core/ledger.ts',
      '../../src/engine/engine.ts',
      '../../src/tokenizer/counter.ts',
      '../../src/cli/main.ts',
      '../../machines/index.ts',
      '../laws/laws.ts',
    ],
  ),
  ...imports('tools/eval', [], ['../../src/index.ts', './names.ts']),
  ...imports('tools/eval/cli', [judge], ['../../../src/engine/engine.ts', '../../laws/laws.ts']),
  ...imports(
    'tools/eval/cli',
    [],
    [
      '../index.ts',
      '../../../src/cli/call/call.ts',
      '../../../src/viewer/lone-document.ts',
      'commander',
    ],
  ),
  ...imports('tools/laws', [], ['../../src/core/state.ts', '../../src/engine/engine.ts']),
  ...imports('src/core', [core], ['../../tools/laws/law.ts']),
  ...imports('src/store', [product], ['../../tools/bench/table.ts']),
  ...imports('src/engine', [product], ['../../tools/laws/law.ts']),
  ...imports('src/cli/look', [product], ['../../../tools/eval/index.ts']),
  ...imports('src/testing', [product], ['../../tools/truncation/lives/life.ts']),
  ...imports('src/cli', [edges], ['../core/frame.ts', '../engine/engine.ts', '../import/step.ts']),
  ...imports('src/cli/look', [edges], ['../../engine/engine.ts', '../../store/store.ts']),
  ...imports(
    'src/adapters/ai-sdk',
    [adapter],
    [
      '../../core/frames/tree.ts',
      '../../core/messages/message.ts',
      '../../engine/open/open-store.ts',
      '../../../machines/frame.ts',
    ],
  ),
  ...imports(
    'src/adapters/pi',
    [command],
    [
      '../../cli/main.ts',
      '../../cli/hosts/handed-back.ts',
      '../../cli/look/show.ts',
      '../../cli/chat/loop.ts',
      '../../cli/play/run.ts',
      '../../cli/command-line/window.ts',
    ],
  ),
  ...imports(
    'src/adapters/ai-sdk',
    [],
    [
      '../../cli/call/version.ts',
      '../../cli/paper/clean.ts',
      '../../cli/render/message.ts',
      '../../cli/sessions/pick.ts',
      '../../index.ts',
      '../../../machines/index.ts',
      '../../core/formats/ai-sdk.ts',
      './neighbor.ts',
      'langchain',
    ],
  ),
  ...imports('src/cli/look', [edges], ['../../../machines/frame.ts']),
  ...imports('src/viewer', [edges], ['../engine/live/clock.ts', '../core/values/id.ts']),
  ...imports(
    'src/cli/look',
    [],
    ['../../../machines/index.ts', '../../index.ts', '../../names.ts', '../io.ts', 'commander'],
  ),
  {
    title: 'every form of import in core',
    path: 'src/core/forms.ts',
    code: `import type { A } from '../engine/a.ts';
export { b } from '../engine/b.ts';
export * from '../engine/c.ts';
export const d: Promise<A> = import('../engine/d.ts');
`,
    says: [core, core, core, core],
  },
  {
    title: 'a clock and a random source in core',
    path: 'src/core/clock.ts',
    code: 'export const now = (): number => Date.now() + Math.random() + new Date().getTime();\n',
    says: [
      'Take the time as an argument.',
      'Take ids as arguments.',
      'Take the time as an argument.',
    ],
  },
  {
    title: 'a clock and a random source in the engine',
    path: 'src/engine/clock.ts',
    code: 'export const now = (): number => Date.now() + Math.random();\n',
    says: [],
  },
  {
    title: 'a default export',
    path: 'src/store/default.ts',
    code: 'export default 1;\n',
    says: ['Prefer named exports'],
  },
  {
    title: 'one half of a circle',
    path: 'src/store/circle-a.ts',
    code: "import { b } from './circle-b.ts';\nexport const a = (): number => b();\n",
    says: ['Dependency cycle detected'],
  },
  {
    title: 'a circle of types',
    path: 'src/store/circle-type.ts',
    code: "import type { B } from './circle-type-b.ts';\nexport interface A {\n  readonly b?: B;\n}\n",
    says: ['Dependency cycle detected'],
  },
  {
    title: 'the other half of a circle of types',
    path: 'src/store/circle-type-b.ts',
    code: "import type { A } from './circle-type.ts';\nexport interface B {\n  readonly a?: A;\n}\n",
    says: ['Dependency cycle detected'],
  },
  {
    title: 'the other half of a circle',
    path: 'src/store/circle-b.ts',
    code: "import { a } from './circle-a.ts';\nexport const b = (): number => a();\n",
    says: ['Dependency cycle detected'],
  },
];

/** The rooms of each folder in their order; a room imports those of the lists before its own. */
const rooms = {
  'src/core': [
    ['values'],
    ['messages'],
    ['text'],
    ['people'],
    ['commands'],
    ['entities'],
    ['search'],
    ['frames'],
    ['breadcrumbs'],
    ['lines'],
    ['outcomes'],
    ['definitions'],
    ['files'],
    ['file-events'],
    ['file-index'],
    ['notes'],
    ['chronicle'],
    ['checkpoints'],
    ['budget'],
    ['truncation'],
    ['state'],
    ['sections'],
    ['assembly'],
    ['host-history'],
    ['documents'],
    ['progress'],
    ['formats'],
  ],
  'src/engine': [
    ['journal', 'step'],
    ['compression'],
    ['decide'],
    ['inspect'],
    ['time-travel'],
    ['live'],
    ['effects', 'recall'],
    ['commands'],
    ['sync'],
    ['session'],
    ['import', 'tools'],
    ['open'],
    ['durable'],
  ],
  'src/cli': [
    ['paper'],
    ['call'],
    ['command-line', 'sessions'],
    ['render'],
    ['play'],
    ['look'],
    ['inspect'],
    ['view'],
    ['browse'],
    ['export'],
    ['keep'],
    ['test'],
    ['chat'],
    ['doctor'],
    ['hosts'],
    ['config'],
    ['completion'],
  ],
  'src/cli/chat': [
    ['terminal', 'model'],
    ['tools'],
    ['output'],
    ['mcp'],
    ['conversation'],
    ['commands'],
  ],
  'src/llm': [['server'], ['prompt'], ['ollama', 'openai']],
  'src/import': [['source'], ['claude-code', 'codex', 'gemini-cli', 'opencode']],
} as const;

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'flamestack-fences-'));
for (const file of [
  'package.json',
  '.oxlintrc.json',
  'tsconfig.json',
  'src/core/tsconfig.json',
  'machines/tsconfig.json',
]) {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  cpSync(join(root, file), join(copy, file));
}
for (const { path, code } of plants) plant(path, code);
for (const [folder, order] of Object.entries(rooms))
  for (const [path, { to }] of pairsOf(folder, order))
    plant(path, `import { it } from '../${to}/it.ts';\nexport const mine = it;\n`);
const said = lint();

test.each(titled(({ says }) => says.length > 0))('%s is reported', (_, { path, says }) => {
  expect(said.get(path)).toEqual(says);
});

test.each(titled(({ says }) => says.length === 0))('%s is legal', (_, { path }) => {
  expect(said.get(path)).toBeUndefined();
});

test.each(Object.entries(rooms))(
  'in %s, a room imports only the rooms above it',
  (folder, order) => {
    const pairs = pairsOf(folder, order);
    const reported = [...pairs.keys()].filter((path) => said.get(path)?.includes(above));
    expect(reported).toEqual([...pairs].flatMap(([path, { isLegal }]) => (isLegal ? [] : [path])));
  },
);

test.each(Object.entries(rooms))('the rooms of %s are those on disk', (folder, order) => {
  const folders = readdirSync(join(root, folder), { withFileTypes: true });
  const names = folders.flatMap((each) => (each.isDirectory() ? [each.name] : []));
  expect(names.toSorted()).toEqual(order.flat().toSorted());
});

test.each([
  ['src/core', ['process', 'console', 'setTimeout', 'fetch', 'performance', 'crypto', 'Buffer']],
  ['machines', ['process', 'console', 'setTimeout', 'fetch', 'performance']],
] as const)('in %s, what a platform brings is a type error', (folder, names) => {
  for (const name of names)
    plant(`${folder}/platform-${name.toLowerCase()}.ts`, `export const it: unknown = ${name};\n`);
  plant(
    `${folder}/legal.ts`,
    'export const it: unknown = [Math.max(1), JSON, Map, Promise, structure()];\nfunction structure(): bigint { return 1n; }\n',
  );
  const { stdout } = run('node_modules/typescript/bin/tsc', ['-p', folder, '--pretty', 'false']);
  const reported = new Set(
    [...stdout.matchAll(/(platform-\w+|legal)\.ts\(/g)].map(([, file]) => file),
  );
  expect(reported).toEqual(new Set(names.map((name) => `platform-${name.toLowerCase()}`)));
});

/** A file for each target, that imports it and nothing else. */
function imports(
  folder: string,
  says: readonly string[],
  targets: readonly string[],
): readonly Plant[] {
  return targets.map((target, index) => ({
    title: `${folder} importing ${target}`,
    path: `${folder}/${says.length > 0 ? 'bad' : 'good'}-${index}-${target.replaceAll(/\W+/g, '-')}.ts`,
    code: `import { it } from '${target}';\nexport const mine = it;\n`,
    says,
  }));
}

/** A file in each room for each other room, which it imports. */
function pairsOf(
  folder: string,
  order: readonly (readonly string[])[],
): ReadonlyMap<string, { readonly to: string; readonly isLegal: boolean }> {
  const all = order.flatMap((list, rank) => list.map((room) => ({ room, rank })));
  return new Map(
    all.flatMap((from) =>
      all
        .filter(({ room }) => room !== from.room)
        .map((to) => [
          `${folder}/${from.room}/to-${to.room}.ts`,
          { to: to.room, isLegal: to.rank < from.rank },
        ]),
    ),
  );
}

function titled(wanted: (plant: Plant) => boolean): readonly (readonly [string, Plant])[] {
  return plants.filter(wanted).map((plant) => [plant.title, plant]);
}

function plant(path: string, code: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), code);
}

interface Diagnostic {
  readonly message: string;
  readonly help?: string;
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly offset: number } }[];
}

/** What the linter says of each file, in the order of its lines: our own words where a fence has some. */
function lint(): ReadonlyMap<string, readonly string[]> {
  const { stdout } = run('node_modules/oxlint/bin/oxlint', ['--format=json', '.']);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] };
  const heard = new Map<string, readonly string[]>();
  const ordered = diagnostics.toSorted((a, b) => offset(a) - offset(b));
  for (const each of ordered)
    heard.set(each.filename, [...(heard.get(each.filename) ?? []), wordsOf(each)]);
  return heard;
}

function offset({ labels }: Diagnostic): number {
  return labels[0]?.span.offset ?? 0;
}

function wordsOf({ code, message, help = '' }: Diagnostic): string {
  if (/no-restricted-(imports|properties)/.test(code)) return help;
  return /^Unexpected use of 'Date'\. (.+)$/.exec(message)?.[1] ?? message;
}

function run(program: string, args: readonly string[]): { readonly stdout: string } {
  return spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: copy,
    encoding: 'utf8',
  });
}
