import { homedir } from 'node:os';
import { join } from 'node:path';
import type { HookHost } from '../hook-event.ts';
import { withHooks, withoutHooks } from './hook-settings.ts';
import {
  objectIn,
  readSettings,
  withMember,
  writtenSettings,
  type Settings,
} from './settings-edit.ts';
import { withoutServerTable, withServerTable } from './toml-table.ts';
import type { ProgramWords } from './program-words.ts';

/** A settings file of an agent, and what is to be there. */
export interface AgentFile {
  readonly path: string;
  /** What is to be in it, from what is; null for no file. */
  readonly installed: (text: string | null, program: ProgramWords) => string | null;
  readonly uninstalled: (text: string | null) => string | null;
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
      jsonFile(join(project, '.claude', 'settings.local.json'), {
        put: (settings, program) =>
          allowed(withHooks(settings, 'claude-code', hookOf(program, 'claude-code'))),
        take: (settings) => notAllowed(withoutHooks(settings, 'claude-code')),
      }),
      jsonFile(join(project, '.mcp.json'), servers('mcpServers')),
    ],
    next: 'Start Claude Code anew in this folder. /hooks and /mcp show what was added.',
  },
  codex: {
    title: 'Codex',
    isRecorded: true,
    files: ({ env }) => {
      const home = env['CODEX_HOME'] || join(homeOf(env), '.codex');
      return [
        jsonFile(join(home, 'hooks.json'), {
          put: (settings, program) => withHooks(settings, 'codex', hookOf(program, 'codex')),
          take: (settings) => withoutHooks(settings, 'codex'),
        }),
        {
          path: join(home, 'config.toml'),
          installed: (text, program) => withServerTable(text ?? '', program),
          uninstalled: (text) => withoutServerTable(text ?? '') || null,
        },
      ];
    },
    next: 'Start Codex anew and trust the hooks when it asks. In folders without .flamestack they do nothing.',
  },
  cursor: {
    title: 'Cursor',
    isRecorded: false,
    files: ({ project }) => [jsonFile(join(project, '.cursor', 'mcp.json'), servers('mcpServers'))],
    next: 'Cursor has no hooks that tell of compactions: it gets the tools, and records what is noted with them.',
  },
} as const satisfies Readonly<Record<string, Agent>>;

export type AgentName = keyof typeof agents;

const serverName = 'flamestack';

const homeOf = (env: Places['env']): string => env['HOME'] || homedir();

/** The shell command of a hook. */
function hookOf({ command, args }: ProgramWords, host: HookHost): string {
  return [...[command, ...args].map(shellWord), 'hook', host].join(' ');
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

interface JsonChange {
  readonly put: (settings: Settings, program: ProgramWords) => Settings;
  readonly take: (settings: Settings) => Settings;
}

/** A file of JSON, and what is put into it and taken out. */
function jsonFile(path: string, { put, take }: JsonChange): AgentFile {
  return {
    path,
    installed: (text, program) => writtenSettings(put(readSettings(path, text), program)),
    uninstalled: (text) => {
      const settings = readSettings(path, text);
      const left = take(settings);
      // What is not changed stays as it was typed.
      return JSON.stringify(left) === JSON.stringify(settings) ? text : writtenSettings(left);
    },
  };
}

/** The server among those of a file. */
const servers = (name: string): JsonChange => ({
  put: (settings, { command, args }) =>
    withMember(settings, name, {
      ...objectIn(settings, name),
      [serverName]: { command, args: [...args, 'mcp'] },
    }),
  take: (settings) => {
    const { [serverName]: ours, ...others } = objectIn(settings, name);
    return ours === undefined ? settings : withMember(settings, name, others);
  },
});

// Claude Code asks about the servers of a project's file, unless its own settings name them.
const allowedServers = 'enabledMcpjsonServers';

const namesIn = (settings: Settings): readonly unknown[] => {
  const names = settings[allowedServers];
  return Array.isArray(names) ? names : [];
};

function allowed(settings: Settings): Settings {
  const names = namesIn(settings);
  if (names.includes(serverName)) return settings;
  return { ...settings, [allowedServers]: [...names, serverName] };
}

function notAllowed(settings: Settings): Settings {
  const names = namesIn(settings);
  if (!names.includes(serverName)) return settings;
  return withMember(
    settings,
    allowedServers,
    names.filter((name) => name !== serverName),
  );
}
