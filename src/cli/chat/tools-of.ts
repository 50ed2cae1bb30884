import type { ToolSpec } from '../../index.ts';
import type { Chat } from './chat.ts';

/** The tools that the model is told of. */
export function toolsOf({ now, tools }: Chat): readonly ToolSpec[] {
  return now.hasTools ? specsOf(tools) : [];
}

/** What a model is told of tools. */
export function specsOf(tools: Chat['tools']): readonly ToolSpec[] {
  return [...tools.values()].map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
}

/** What is said of a model that can call no tools. */
export function withoutTools(model: string): string {
  return `${model} cannot call tools; going on without. /push and /pop still work.`;
}
