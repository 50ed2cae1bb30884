import { toolSpecs, type Session } from '../../index.ts';
import { callTool, movesFrame } from '../call-tool.ts';
import type { PiContext, PiHost, PiTool } from './host.ts';

/** Does `work` with the session of pi, which has all that was said; `waits`: what it begins may wait for other results of the answer. */
export type WithSession = <T>(
  context: PiContext,
  work: (session: Session) => Promise<T>,
  waits: boolean,
) => Promise<T>;

/** Least window in which all tools take less than a tenth of a prompt, in tokens; below it there is `recall` alone. */
const roomyWindow = 16_000;

/** The session's own tools as tools of pi. */
export function piTools(withSession: WithSession): readonly PiTool[] {
  return toolSpecs.map(({ name, description, parameters }) => ({
    name,
    label: name,
    description,
    parameters,
    promptSnippet: description.split('. ')[0]!,
    async execute(...[, args, signal, , context]) {
      // pi takes a rejection for a refusal, and tells the model its message.
      const text = await withSession(
        context,
        (session) => callTool(session, { name, args, signal }),
        movesFrame(name),
      );
      return { content: [{ type: 'text', text }], details: {} };
    },
  }));
}

/** Takes the tools that are not worth their room out of what the model has, and puts them back where there is room. */
export function fitTools(pi: PiHost, window: number): void {
  const own = new Set<string>(toolSpecs.map(({ name }) => name));
  const active = pi.getActiveTools();
  const others = active.filter((name) => !own.has(name));
  const fitting = window >= roomyWindow ? [...own] : ['recall'];
  const wanted = [...others, ...fitting];
  if (wanted.length !== active.length || wanted.some((name) => !active.includes(name)))
    pi.setActiveTools(wanted);
}
