import { about, type Body } from './provider.ts';

// The cache of Anthropic, as it is documented: a prompt is kept up to each breakpoint, and found again
// from a breakpoint or up to twenty blocks before it.

/** Blocks that are looked back from a breakpoint. */
const lookBack = 20;

const withoutBreakpoint = (name: string, value: unknown): unknown =>
  name === 'cache_control' ? undefined : value;

/** A cache of prompts; `send` says what it counted of one. */
export function newPromptCache() {
  const kept = new Set<string>();
  let [served, all] = [0, 0];
  return {
    send({ tools = [], system = [], messages }: Body) {
      const blocks: Body[] = [
        ...tools,
        ...system,
        ...messages.flatMap(({ content }: Body) => content),
      ];
      const texts = blocks.map((block) => JSON.stringify(block, withoutBreakpoint));
      const prefix = (end: number): string => texts.slice(0, end).join('\n');
      const breakpoints = blocks.flatMap((block, at) =>
        block['cache_control'] === undefined ? [] : [at + 1],
      );
      let read = 0;
      for (const end of breakpoints)
        for (let from = end; from > Math.max(0, end - lookBack); from -= 1)
          if (from > read && kept.has(prefix(from))) read = from;
      for (const end of breakpoints) kept.add(prefix(end));
      const total = about(texts);
      const cached = read === 0 ? 0 : about(texts.slice(0, read));
      const written = Math.max(0, about(texts.slice(0, breakpoints.at(-1) ?? 0)) - cached);
      served += cached;
      all += total;
      return {
        input_tokens: Math.max(0, total - cached - written),
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: written,
      };
    },
    total: () => ({ served, all }),
  };
}
