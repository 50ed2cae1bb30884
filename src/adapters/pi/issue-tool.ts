import { beadsToolSpec, callBeads, type BeadsCall } from '../beads/beads-tool.ts';
import type { PiContext, PiTool } from './host.ts';
import type { FollowedProject } from './followed-project.ts';

/** The tool by which the agent works with issues; `shown` hears of each call that was done. */
export function issueTool(
  project: () => FollowedProject,
  shown: (context: PiContext) => Promise<unknown>,
): PiTool {
  const { name, description, parameters } = beadsToolSpec;
  return {
    name,
    label: 'Beads',
    description,
    parameters,
    promptSnippet: 'The issues of this project: ready, show, claim, close, comment, create, status',
    async execute(...[, args, signal, , context]) {
      const { beads, tracker, outbox, cwd } = project();
      const waiting = (): Promise<number> => outbox.waiting();
      const called = callBeads(args as BeadsCall, { beads, tracker, cwd, waiting });
      const text = await Promise.race([called, whenAborted(signal)]);
      void shown(context);
      return { content: [{ type: 'text', text }], details: {} };
    },
  };
}

/** Rejects when a person breaks off; what the tracker was asked may be done all the same. */
function whenAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const broken = (): void => reject(new Error('Broken off: look at the issue before you go on.'));
    if (signal?.aborted === true) broken();
    signal?.addEventListener('abort', broken, { once: true });
  });
}
