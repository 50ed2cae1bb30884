import type { HookHost } from '../hook-event.ts';
import { objectIn, withMember, type Settings } from './settings-edit.ts';

// Claude Code and Codex spell hooks alike: for each event a list of groups, each with a list of commands.

/** Events that are answered, with the seconds that the agent waits at most. */
const events = {
  SessionStart: 30,
  UserPromptSubmit: 5,
  PreCompact: 5,
  PostCompact: 5,
  Stop: 5,
  SubagentStop: 5,
} as const;

interface HookGroup {
  readonly hooks?: readonly { readonly command?: unknown }[];
}

/** Settings in which each event calls `command`, and what called it before is gone. */
export function withHooks(settings: Settings, host: HookHost, command: string): Settings {
  const others = objectIn(withoutHooks(settings, host), 'hooks');
  const hooks = Object.entries(events).map(([event, timeout]) => [
    event,
    [...groupsOf(others, event), { hooks: [{ type: 'command', command, timeout }] }],
  ]);
  return withMember(settings, 'hooks', { ...others, ...Object.fromEntries(hooks) });
}

/** Settings without the hooks that were put there. */
export function withoutHooks(settings: Settings, host: HookHost): Settings {
  if (!('hooks' in settings)) return settings;
  const hooks = objectIn(settings, 'hooks');
  const left = Object.keys(hooks).flatMap((event) => {
    const groups = groupsOf(hooks, event);
    const others = groups.filter((group) => !isOurs(group, host));
    if (others.length === groups.length) return [[event, hooks[event]]];
    return others.length === 0 ? [] : [[event, others]];
  });
  return withMember(settings, 'hooks', Object.fromEntries(left) as object);
}

function groupsOf(hooks: Settings, event: string): readonly HookGroup[] {
  const groups = hooks[event];
  return Array.isArray(groups) ? (groups as HookGroup[]) : [];
}

/** Whether a group calls nothing but this program. */
function isOurs({ hooks }: HookGroup, host: HookHost): boolean {
  const commands = Array.isArray(hooks) ? hooks.map(({ command }) => String(command)) : [];
  const end = ` hook ${host}`;
  return commands.length > 0 && commands.every((command) => command.endsWith(end));
}
