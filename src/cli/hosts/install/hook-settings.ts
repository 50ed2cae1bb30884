import type { HookHost } from '../hook-event.ts';
import { refusal, valueIn, withoutValue, withValue, type Settings } from './settings.ts';

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

/** Settings in which each event calls `command`, and what called it before is gone. */
export function withHooks(settings: Settings, host: HookHost, command: string): Settings {
  return Object.entries(events).reduce((now, [event, timeout]) => {
    const ours = placesOf(now, host, event);
    const group = { hooks: [{ type: 'command', command, timeout }] };
    const [only] = ours;
    // Where it stands as it should, nothing is changed.
    if (ours.length === 1 && JSON.stringify(groupsIn(now, event)[only!]) === JSON.stringify(group))
      return now;
    return withValue(without(now, host, event), ['hooks', event, -1], group);
  }, settings);
}

/** Settings without the hooks that were put there. */
export function withoutHooks(settings: Settings, host: HookHost): Settings {
  return Object.keys(events).reduce((now, event) => without(now, host, event), settings);
}

function without(settings: Settings, host: HookHost, event: string): Settings {
  return placesOf(settings, host, event).reduceRight(
    (now, at) => withoutValue(now, ['hooks', event, at]),
    settings,
  );
}

function groupsIn(settings: Settings, event: string): readonly unknown[] {
  valueIn(settings, ['hooks'], 'object');
  return (valueIn(settings, ['hooks', event], 'array') ?? []) as readonly unknown[];
}

/** Where the groups of an event are that call nothing but this program. */
function placesOf(settings: Settings, host: HookHost, event: string): readonly number[] {
  const end = ` hook ${host}`;
  return groupsIn(settings, event).flatMap((group, at) => {
    const hooks = (group as { readonly hooks?: unknown } | null)?.hooks;
    if (!Array.isArray(hooks))
      throw refusal(settings.file, `have no list of hooks at "hooks.${event}.${at}"`);
    const commands = hooks.map((hook) => String((hook as { command?: unknown } | null)?.command));
    return commands.length > 0 && commands.every((one) => one.endsWith(end)) ? [at] : [];
  });
}
