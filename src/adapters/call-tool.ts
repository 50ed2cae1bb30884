import type { Session } from '../index.ts';

/** The text of a session's own tool; rejects with what it refuses, as hosts want it. */
export async function callTool(
  session: Session,
  name: string,
  given: unknown,
  signal?: AbortSignal,
): Promise<string> {
  const tool = session.tools('all').find((one) => one.name === name)!;
  const answer = await tool.execute(given, signal === undefined ? {} : { signal });
  if (answer.isError) throw new Error(answer.text);
  return answer.text;
}

/** Whether a tool moves between frames, so that it has to wait for the other results of its answer. */
export const movesFrame = (name: string): boolean =>
  name.startsWith('frame_') && name !== 'frame_status';
