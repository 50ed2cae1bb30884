import type { Mask } from '../../../core/text/redaction.ts';
import { machineOf, machinesRange } from '../../../store/key.ts';
import type { RecordStore } from '../../../store/store.ts';
import { maskedText } from './masked-row.ts';
import { rowsPastDamage } from '../../../store/past-damage.ts';

/** The durable machines of a store in whose rows stands what a mask takes out: their own programs alone know how they go on without it. */
export async function machinesTelling(store: RecordStore, mask: Mask): Promise<readonly string[]> {
  const machines = new Set<string>();
  for (const kind of ['journal', 'state'] as const)
    for await (const { key, value, error } of rowsPastDamage(store, kind, machinesRange)) {
      const id = machineOf(key.slice(0, key.indexOf(':')));
      if (error !== undefined || machines.has(id)) continue;
      if (tells(value, mask)) machines.add(id);
    }
  return [...machines];
}

function tells(value: unknown, mask: Mask): boolean {
  let isTold = false;
  JSON.stringify(value, (name, member: unknown) => {
    const texts = typeof member === 'string' ? [name, member] : [name];
    isTold ||= texts.some((text) => maskedText(text, mask) !== text);
    return member;
  });
  return isTold;
}
