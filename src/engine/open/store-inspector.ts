import { setTimeout as sleep } from 'node:timers/promises';
import { inspectionsOf, type Inspection, type TracedStep } from '../inspect/inspection.ts';
import type { Clock } from '../live/clock.ts';
import { nextTurn } from '../live/next-turn.ts';

// A program that inspects is called in turns of its own, behind the steps, and keeps
// none of them waiting. What it is too slow for is dropped, counted, and told as one.

/** A program's function, as the sessions of a store tell it. */
export interface StoreInspector {
  readonly tell: (step: TracedStep) => void;
  /** Resolves when it was told all, or will not be in a second. */
  settled(): Promise<void>;
}

/** Most inspections that wait for the program. */
export const mostInspections = 10_000;

/** How long it is called before others get their turn, in milliseconds. */
const longest = 6;

/** How long a closing store waits for it, in milliseconds. */
const patience = 1_000;

/** Tells `inspect` of steps, in order; what it throws ends nothing, and is a warning the first time. */
export function newStoreInspector(
  inspect: (inspection: Inspection) => unknown,
  { text, clock }: { readonly text: boolean; readonly clock: Clock },
): StoreInspector {
  const waiting: Inspection[] = [];
  let dropped = 0;
  /** The session of the last step that was dropped, as it was after that. */
  let dropping: Inspection | undefined;
  let running: Promise<void> | null = null;
  let hasThrown = false;
  let isOver = false;
  const elapsed = (): number => clock.elapsed?.() ?? 0;

  const call = async (inspection: Inspection): Promise<void> => {
    try {
      await inspect(inspection);
    } catch (error) {
      if (!hasThrown) process.emitWarning(`An inspector of the store threw: ${String(error)}`);
      hasThrown = true;
    }
  };
  const tellDropped = (): void => {
    if (dropping === undefined) return;
    const { value, seq, at } = dropping;
    const event = { type: 'dropped', count: dropped };
    waiting.push({ ...dropping, seq, at, n: -1, event, from: value, value });
    dropped = 0;
    dropping = undefined;
  };
  const next = (): Inspection | undefined => {
    if (isOver) return undefined;
    if (waiting.length === 0) tellDropped();
    return waiting.shift();
  };
  const run = async (): Promise<void> => {
    const turn = async (): Promise<number> => {
      await nextTurn();
      return elapsed() + longest;
    };
    let end = await turn();
    for (let inspection = next(); inspection !== undefined; inspection = next()) {
      await call(inspection);
      if (elapsed() > end) end = await turn();
    }
    running = null;
  };
  return {
    tell(step) {
      const inspections = inspectionsOf(step, text);
      if (waiting.length < mostInspections) tellDropped();
      const room = Math.max(0, mostInspections - waiting.length);
      waiting.push(...inspections.slice(0, room));
      if (inspections.length > room) {
        dropped += inspections.length - room;
        dropping = inspections.find(({ machine }) => machine === 'session');
      }
      running ??= run();
    },
    async settled() {
      const done = running?.then(() => true) ?? true;
      if (await Promise.race([done, sleep(patience, false, { ref: false })])) return;
      isOver = true;
      const left = waiting.length + dropped;
      process.emitWarning(`The store closed before its inspector was told ${left} more`);
    },
  };
}
