/** A fact other than a message, and how many messages came before it. */
export interface PositionedFact<F> {
  readonly fact: F;
  readonly after: number;
}

/** Collects such facts record by record; a rewind drops those that came since. */
export interface StepCursor<F> {
  add(step: PositionedFact<F>): void;
  /** Goes back to the facts as they were after a record. */
  goBack(seq: number): void;
  /** The newest fact that was not taken back. */
  last(): PositionedFact<F> | undefined;
  /** Puts the newest fact behind so many messages. */
  moveLast(after: number): void;
  /** Ends a record. */
  end(seq: number): void;
  /** The facts that were not taken back, oldest first. */
  steps(): readonly PositionedFact<F>[];
}

interface StepLink<F> {
  readonly step: PositionedFact<F>;
  readonly before: StepLink<F> | null;
}

/** A cursor without steps. */
export function newStepCursor<F>(): StepCursor<F> {
  let last: StepLink<F> | null = null;
  /** The last step after each record that changed it. */
  const ends: { readonly seq: number; readonly last: StepLink<F> | null }[] = [];
  return {
    add(step) {
      last = { step, before: last };
    },
    goBack(seq) {
      last = ends.findLast((end) => end.seq <= seq)?.last ?? null;
    },
    last: () => last?.step,
    moveLast(after) {
      if (last !== null) last = { ...last, step: { ...last.step, after } };
    },
    end(seq) {
      if (ends.at(-1)?.last !== last) ends.push({ seq, last });
    },
    steps() {
      const steps: PositionedFact<F>[] = [];
      for (let link = last; link !== null; link = link.before) steps.push(link.step);
      return steps.reverse();
    },
  };
}
