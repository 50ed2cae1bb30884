import type { ToolSpec } from '../../index.ts';
import type { Chat } from './chat.ts';
import { isTold, ownIn, type Own } from './own-tools.ts';

/** The tools that the model is told of. */
export function toolsOf(chat: Chat): readonly ToolSpec[] {
  return chat.now.hasTools ? specsOf(chat.tools, ownOf(chat)) : [];
}

/** Which tools of the session the model is told of in the window as it is now. */
export function ownOf({ now, own, session }: Chat): Own {
  return now.hasTools ? ownIn(own, session.state.budget.window) : 'none';
}

/** What a model is told of tools, `own` of the session's among them. */
export function specsOf(tools: Chat['tools'], own: Own): readonly ToolSpec[] {
  return [...tools.values()]
    .filter(({ isOwn, name }) => !isOwn || isTold(name, own))
    .map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** What is said of a model that can call no tools. */
export function withoutTools(model: string): string {
  return `${model} cannot call tools; going on without. /push and /pop still work.`;
}
