import type {
  AnthropicBlock,
  AnthropicText,
  AnthropicTool,
  CacheControl,
} from './anthropic-blocks.ts';

// The cache of Anthropic holds a prompt up to a breakpoint, of which there may be four, and looks back
// twenty blocks from each. Our prompt stays the same from its start:
//
//   tools · system │ people · full blocks of the chronicle │ the last one · … · entries │ …… the newest │
//                  1                                       2                            3             4
//
// The third stands fifteen blocks before the last, so that a step of many calls finds the one before it.

/** A block with its place in the prompt. */
export interface PlacedBlock {
  readonly role: 'user' | 'assistant';
  readonly block: AnthropicBlock;
  /** Whether most compressions leave it as it is, and all before it. */
  readonly isSettled: boolean;
  /** Whether Anthropic spelled it, so that nothing may be added to it. */
  readonly isRaw: boolean;
}

/** A request before its blocks are messages. */
interface PlacedRequest {
  readonly system: AnthropicText[];
  readonly tools: AnthropicTool[];
  readonly placed: readonly PlacedBlock[];
}

/** Blocks between the last two breakpoints. */
const stride = 15;

/** The request with its breakpoints. */
export function setBreakpoints(
  { system, tools, placed }: PlacedRequest,
  ttl: 'auto' | '1h',
): PlacedRequest {
  const cache_control: CacheControl =
    ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' };
  const last = lastBefore(placed, placed.length);
  const chosen = new Set([
    lastBefore(placed, placed.findLastIndex(({ isSettled }) => isSettled) + 1),
    lastBefore(placed, last - stride + 1),
    last,
  ]);
  return {
    system: onLast(system, cache_control),
    tools: system.length > 0 ? tools : onLast(tools, cache_control),
    placed: placed.map((one, index) =>
      chosen.has(index)
        ? { ...one, block: { ...one.block, cache_control } as AnthropicBlock }
        : one,
    ),
  };
}

/** The last block before a place that takes a breakpoint; -1 for none. */
const lastBefore = (placed: readonly PlacedBlock[], place: number): number =>
  placed.slice(0, Math.max(0, place)).findLastIndex(({ role, isRaw }) => role === 'user' && !isRaw);

/** The list with a breakpoint on its last member. */
const onLast = <T extends object>(list: T[], cache_control: CacheControl): T[] =>
  list.map((one, index) => (index === list.length - 1 ? { ...one, cache_control } : one));
