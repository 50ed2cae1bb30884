import { homedir } from 'node:os';
import { join } from 'node:path';
import type { HookHost } from '../hook-event.ts';
import { withHooks, withoutHooks } from './hook-settings.ts';
import { packageFolder, type ProgramWords } from './program-words.ts';
import { withoutServerTable, withServerTable } from './server-table.ts';
import { valueIn, withoutValue, withValue, type Settings } from './settings.ts';

/** A settings file of an agent, and what is put into it and taken out. */
export interface AgentFile {
  readonly path: string;
  /** Whether it is meant for everybody who works on the project. */
  readonly isShared?: boolean;
  readonly put: (settings: Settings, program: ProgramWords) => Settings;
  readonly take: (settings: Settings) => Settings;
}

/** Where an agent keeps its settings. */
export interface Places {
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An agent into which this is installed. */
export interface Agent {
  readonly title: string;
  readonly files: (places: Places) => readonly AgentFile[];
  /** Files of settings that it does not read where comments stand in them. */
  readonly unread?: (places: Places) => readonly string[];
  /** Whether its sessions are recorded, into the store of the project. */
  readonly isRecorded: boolean;
  /** What to do then, and what will be seen. */
  readonly next: string;
}

/** Agents by the names that are typed. */
export const agents = {
  'claude-code': {
    title: 'Claude Code',
    isRecorded: true,
    files: ({ project }) => [
      {
        path: join(project, '.claude', 'settings.local.json'),
        put: (settings, program) =>
          allowed.reduce(
            withName,
            withHooks(settings, 'claude-code', hookOf(program, 'claude-code')),
          ),
        take: (settings) => allowed.reduce(withoutName, withoutHooks(settings, 'claude-code')),
      },
      { path: join(project, '.mcp.json'), isShared: true, ...server },
    ],
    unread: ({ project }) =>
      ['settings.json', 'settings.local.json'].map((name) => join(project, '.claude', name)),
    next: 'Start Claude Code anew in this folder. /hooks and /mcp show what was added.',
  },
  codex: {
    title: 'Codex',
    isRecorded: true,
    files: ({ env }) => {
      const home = env['CODEX_HOME'] || join(env['HOME'] || homedir(), '.codex');
      return [
        {
          path: join(home, 'hooks.json'),
          put: (settings, program) => withHooks(settings, 'codex', hookOf(program, 'codex')),
          take: (settings) => withoutHooks(settings, 'codex'),
        },
        { path: join(home, 'config.toml'), put: withServerTable, take: withoutServerTable },
      ];
    },
    next: 'Start Codex anew and trust the hooks when it asks. In folders without .flamestack they do nothing.',
  },
  pi: {
    title: 'pi',
    isRecorded: true,
    files: ({ project }) => [
      {
        path: join(project, '.pi', 'settings.json'),
        put: (settings) => withName(settings, { path: ['packages'], name: packageFolder() }),
        take: (settings) => withoutName(settings, { path: ['packages'], name: packageFolder() }),
      },
    ],
    next: 'Start pi anew in this folder. Its status line says what the prompt holds; /flame says more.',
  },
  opencode: {
    title: 'OpenCode',
    isRecorded: true,
    files: ({ project }) => [
      {
        path: join(project, 'opencode.json'),
        // The plugin has the tools; a server beside it would give them twice.
        put: (settings) => withName(openCodeServer.take(settings), openCodePlugin()),
        take: (settings) => withoutName(openCodeServer.take(settings), openCodePlugin()),
      },
    ],
    next: 'Start OpenCode anew in this folder. What is said is in .flamestack: flamestack show, flamestack search.',
  },
  cursor: {
    title: 'Cursor',
    isRecorded: false,
    files: ({ project }) => [
      { path: join(project, '.cursor', 'mcp.json'), isShared: true, ...server },
    ],
    next: 'Cursor has no hooks that tell of compactions: it gets the tools, and what is noted with them is kept.',
  },
} as const satisfies Readonly<Record<string, Agent>>;

export type AgentName = keyof typeof agents;

/** The shell command of a hook. */
function hookOf({ command, args }: ProgramWords, host: HookHost): string {
  return [...[command, ...args].map(shellWord), 'hook', host].join(' ');
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The server among those of a file, in the words of an agent. */
const serverIn = (
  list: string,
  spelled: (command: readonly string[]) => Readonly<Record<string, unknown>>,
  isOurs: (entry: Readonly<Record<string, unknown>>) => boolean,
): Pick<AgentFile, 'put' | 'take'> => {
  const path = [list, 'flamestack'];
  const entryIn = (settings: Settings) => {
    valueIn(settings, [list], 'object');
    return valueIn(settings, path, 'object') as Readonly<Record<string, unknown>> | undefined;
  };
  return {
    put(settings, { command, args }) {
      const entry = spelled([command, ...args, 'mcp']);
      return JSON.stringify(entryIn(settings)) === JSON.stringify(entry)
        ? settings
        : withValue(settings, path, entry);
    },
    take(settings) {
      const entry = entryIn(settings);
      return entry !== undefined && isOurs(entry) ? withoutValue(settings, path) : settings;
    },
  };
};

// A server that a person wrote by hand is called otherwise.
const endsSo = (words: unknown): boolean => Array.isArray(words) && words.at(-1) === 'mcp';

const server = serverIn(
  'mcpServers',
  ([command, ...args]) => ({ command, args }),
  ({ args }) => endsSo(args),
);

const openCodeServer = serverIn(
  'mcp',
  (command) => ({ type: 'local', command, enabled: true }),
  ({ command }) => endsSo(command),
);

/** What OpenCode loads. */
const openCodePlugin = (): ListedName => ({
  path: ['plugin'],
  name: join(packageFolder(), 'extensions', 'opencode.js'),
});

/** A name in a list of settings. */
interface ListedName {
  readonly path: readonly string[];
  readonly name: string;
}

// Claude Code asks about the servers of a project's file, and about each tool, unless its own settings name them.
const allowed: readonly ListedName[] = [
  { path: ['enabledMcpjsonServers'], name: 'flamestack' },
  ...['recall', 'recovery', 'frame_status'].map((tool) => ({
    path: ['permissions', 'allow'],
    name: `mcp__flamestack__${tool}`,
  })),
];

const namesIn = (settings: Settings, path: readonly string[]): readonly unknown[] => {
  if (path.length > 1) valueIn(settings, path.slice(0, 1), 'object');
  return (valueIn(settings, [...path], 'array') ?? []) as readonly unknown[];
};

function withName(settings: Settings, { path, name }: ListedName): Settings {
  return namesIn(settings, path).includes(name)
    ? settings
    : withValue(settings, [...path, -1], name);
}

function withoutName(settings: Settings, { path, name }: ListedName): Settings {
  const at = namesIn(settings, path).indexOf(name);
  return at === -1 ? settings : withoutValue(settings, [...path, at]);
}
