import type { Assembly, OutMessage } from '../../core/assembly/assembly.ts';
import type { CountedPrompt } from '../../core/budget/calibration.ts';
import { textSizes } from '../../core/messages/text-sizes.ts';

/** An assembly as it was given out. */
export interface SentAssembly extends CountedPrompt {
  readonly assembly: string;
  readonly messages: readonly OutMessage[];
}

/** The assemblies given out lately, so that a server's count of one can be compared with ours. */
export interface SentAssemblies {
  /** The one with this id, the last one unless told; undefined where it is forgotten. */
  find(id?: string): SentAssembly | undefined;
}

/** Assemblies that are remembered. */
const most = 16;

/** An empty memory; `put` skips what was only bounded and not counted. */
export function newSentAssemblies(): SentAssemblies & { put(assembly: Assembly): void } {
  const sent = new Map<string, SentAssembly>();
  return {
    put({ id, epoch, messages, budget }) {
      if (budget.count === 'bound') return;
      sent.delete(id);
      sent.set(id, { assembly: id, estimate: budget.total, epoch, messages });
      const [oldest] = sent.keys();
      if (sent.size > most) sent.delete(oldest!);
    },
    find: (id = [...sent.keys()].at(-1) ?? '') => sent.get(id),
  };
}

/** What a server's count of an assembly is compared with. */
export function countedPrompt({ estimate, epoch, messages }: SentAssembly): CountedPrompt {
  return { estimate, epoch, sizes: textSizes(messages) };
}
