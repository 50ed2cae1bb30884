import type { Session } from '../index.ts';

/** A call of one of a session's own tools. */
export interface ToolInvocation {
  readonly name: string;
  readonly args: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The text that a tool answers; rejects with what it refuses, as hosts want it. */
export async function callTool(
  session: Session,
  { name, args, signal }: ToolInvocation,
): Promise<string> {
  const tool = session.tools('all').find((one) => one.name === name)!;
  const answer = await tool.execute(args, signal === undefined ? {} : { signal });
  if (answer.isError) throw new Error(answer.text);
  return answer.text;
}

/** Whether a tool moves between frames, so that it has to wait for the other results of its answer. */
export const movesFrame = (name: string): boolean =>
  name.startsWith('frame_') && name !== 'frame_status';
