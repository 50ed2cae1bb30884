import type { Assembly, OutMessage } from '../../core/assembly/assembly.ts';
import type { CountedPrompt } from '../../core/budget/calibration.ts';

/** An assembly as it was given out. */
export interface SentAssembly extends CountedPrompt {
  readonly assembly: string;
  readonly messages: readonly OutMessage[];
}

/** The assemblies given out lately, so that a server's count of one can be compared with ours. */
export interface SentAssemblies {
  /** Remembers one, unless it was only bounded and not counted. */
  put(assembly: Assembly): void;
  /** One of them, the last unless told; undefined where it is forgotten. */
  find(id?: string): SentAssembly | undefined;
}

/** Assemblies that are remembered. */
const most = 16;

/** None yet. */
export function newAssemblies(): SentAssemblies {
  const given = new Map<string, SentAssembly>();
  return {
    put({ id, epoch, messages, budget }) {
      if (budget.count === 'bound') return;
      given.delete(id);
      given.set(id, { assembly: id, estimate: budget.total, epoch, messages });
      const [oldest] = given.keys();
      if (given.size > most) given.delete(oldest!);
    },
    find: (id = [...given.keys()].at(-1) ?? '') => given.get(id),
  };
}
