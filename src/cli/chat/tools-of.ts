import type { ToolSpec } from '../../index.ts';
import type { Chat } from './chat.ts';

/** The tools that the model is told of. */
export function toolsOf({ now, tools }: Chat): readonly ToolSpec[] {
  if (!now.hasTools) return [];
  return [...tools.values()].map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
}
