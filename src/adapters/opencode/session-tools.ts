import { toolSpecs, type Session } from '../../index.ts';
import { callTool, movesFrame, type ToolInvocation } from '../call-tool.ts';
import { fieldsOf } from '../fields.ts';
import type { OpenCodeCall, OpenCodeTool } from './host.ts';

/** Does `work` with the session in which a tool is called: now, or once the answer of the call has all its results. */
export interface ToolSession {
  now<T>(call: OpenCodeCall, work: (session: Session) => Promise<T>): Promise<T>;
  later(call: OpenCodeCall, work: (session: Session) => Promise<unknown>): void;
}

/** What a command between frames answers: OpenCode writes the answer with its results only when all are in. */
const taken = 'Taken: it is done once the results of this answer are in.';

/** The session's own tools as tools of OpenCode. */
export function openCodeTools(sessions: ToolSession): Readonly<Record<string, OpenCodeTool>> {
  return Object.fromEntries(
    toolSpecs.map(({ name, description, parameters }): [string, OpenCodeTool] => [
      name,
      {
        description,
        args: fieldsOf(fieldsOf(parameters)['properties']),
        async execute(args, call) {
          const invocation = { name, args, signal: call.abort };
          if (!movesFrame(name))
            return sessions.now(call, (session) => callTool(session, invocation));
          sessions.later(call, (session) => doneLater(session, { name, args }));
          return taken;
        },
      },
    ]),
  );
}

/** What an own tool takes; undefined for a tool of others. */
export function argumentsOf(name: string): unknown {
  return toolSpecs.find((spec) => spec.name === name)?.parameters;
}

/** Does what waited; the model has an answer already, so a refusal is told to it as machine text. */
async function doneLater(session: Session, call: ToolInvocation): Promise<void> {
  try {
    await callTool(session, call);
  } catch (error) {
    const content = `[${call.name} was not done] ${(error as Error).message}`;
    await session.append({ role: 'user', content, origin: 'machine' });
  }
}
