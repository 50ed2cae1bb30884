import { homedir } from 'node:os';
import { join } from 'node:path';
import { filesBelow } from './files-below.ts';

/** Where an agent keeps its sessions, a file each. */
export interface AgentFolder {
  readonly agent: string;
  readonly folder: string;
  /** Whether a path below the folder is a session of its own. */
  readonly isSession: (path: string) => boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The folders of the agents whose files are read. */
export function agentFolders(env: Env): readonly AgentFolder[] {
  const home = env['HOME'] || homedir();
  return [
    {
      agent: 'Claude Code',
      folder: join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'projects'),
      // Sessions of subagents lie in folders of their own, or begin so; they come with the session that called them.
      isSession: (path) => /^[^/]+\/(?!agent-)[^/]+\.jsonl$/.test(path),
    },
    {
      agent: 'Codex',
      folder: join(env['CODEX_HOME'] || join(home, '.codex'), 'sessions'),
      isSession: (path) => /(^|\/)rollout-[^/]*\.jsonl$/.test(path),
    },
    {
      agent: 'pi',
      folder: join(env['PI_CODING_AGENT_DIR'] || join(home, '.pi', 'agent'), 'sessions'),
      isSession: (path) => path.endsWith('.jsonl'),
    },
    {
      agent: 'Copilot CLI',
      folder: join(home, '.copilot', 'session-state'),
      isSession: (path) => /^[^/]+(?:\/events)?\.jsonl$/.test(path),
    },
    {
      agent: 'Gemini CLI',
      folder: join(home, '.gemini', 'tmp'),
      isSession: (path) => /^[^/]+\/chats\/session-[^/]*\.jsonl?$/.test(path),
    },
  ];
}

/** The session files of every agent on this machine, by the agent, in the order of their names. */
export async function agentFiles(env: Env): Promise<ReadonlyMap<string, readonly string[]>> {
  const entries = await Promise.all(
    agentFolders(env).map(async ({ agent, folder, isSession }) => {
      const paths = await filesBelow(folder).catch(() => []);
      const files = paths.filter(isSession);
      return [agent, files.map((path) => join(folder, path))] as const;
    }),
  );
  return new Map(entries);
}
