/** Agents whose hooks are answered. */
export const hookHosts = ['claude-code', 'codex'] as const;
export type HookHost = (typeof hookHosts)[number];

/** What an agent tells a hook of itself, as far as it is read here. */
export interface HookEvent {
  /** `SessionStart`, `PreCompact`, `Stop`, … */
  readonly name: string;
  /** The agent's id of the session. */
  readonly session: string;
  /** The file into which the agent writes the session; '' for none. */
  readonly transcript: string;
  /** The folder in which the agent works. */
  readonly folder: string;
  /** Of a start: `startup`, `resume`, `clear` or `compact`; '' of anything else. */
  readonly source: string;
}

/** The event that an agent wrote, null for what is none. */
export function readHookEvent(text: string): HookEvent | null {
  const event = jsonObject(text);
  if (event === null) return null;
  const word = (name: string): string => {
    const value = event[name];
    return typeof value === 'string' ? value : '';
  };
  const [name, folder] = [word('hook_event_name'), word('cwd')];
  if (name === '' || folder === '') return null;
  return {
    name,
    folder,
    session: word('session_id'),
    transcript: word('transcript_path'),
    source: word('source'),
  };
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
