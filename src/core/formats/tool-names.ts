import type { OutMessage } from '../assembly/assembly.ts';
import type { ToolSpec } from '../messages/tool-spec.ts';

// A model may call a tool by any name, and another host takes more in a name than a provider does,
// which then refuses every request that has it.

/** What a provider demands of names of tools: letters, digits, `_` and `-`, as many as `longest`; those of `tools` stand as they are declared. */
export interface NameRule {
  readonly longest: number;
  readonly tools: readonly ToolSpec[];
}

/**
 * The names that go out as others, by those that were called: what the rule has of each, by the calls
 * before alone. No two names share one.
 */
export function respelledNames(
  messages: readonly OutMessage[],
  { longest, tools }: NameRule,
): ReadonlyMap<string, string> {
  const called = new Set(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map(({ name }) => name) : [],
    ),
  );
  const declared = new Set(tools.map(({ name }) => name));
  const used = new Set(declared);
  const respelled = new Map<string, string>();
  for (const name of called) {
    if (declared.has(name)) continue;
    const ruled = name.replace(/[^\w-]/g, '_') || '_';
    let one = ruled.slice(0, longest);
    for (let n = 2; used.has(one); n += 1) {
      const end = `_${n}`;
      one = `${ruled.slice(0, longest - end.length)}${end}`;
    }
    used.add(one);
    if (one !== name) respelled.set(name, one);
  }
  return respelled;
}
