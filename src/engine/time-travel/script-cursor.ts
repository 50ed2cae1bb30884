/** Something beside the messages that happened, and how many of these came before it. */
export interface PositionedFact<Fact> {
  readonly fact: Fact;
  readonly after: number;
}

/** Takes steps record by record; going back takes those away that came since. */
export interface StepCursor<Fact> {
  add(step: PositionedFact<Fact>): void;
  /** From here on it is as it was after a record. */
  goBack(seq: number): void;
  /** Ends a record. */
  end(seq: number): void;
  /** What counts in the end, in the order in which it came. */
  steps(): readonly PositionedFact<Fact>[];
}

interface StepLink<Fact> {
  readonly step: PositionedFact<Fact>;
  readonly before: StepLink<Fact> | null;
}

/** A script without steps. */
export function newStepCursor<Fact>(): StepCursor<Fact> {
  let last: StepLink<Fact> | null = null;
  /** What was last after a record, where it is another than after the one before. */
  const ends: { readonly seq: number; readonly last: StepLink<Fact> | null }[] = [];
  return {
    add(step) {
      last = { step, before: last };
    },
    goBack(seq) {
      last = ends.findLast((end) => end.seq <= seq)?.last ?? null;
    },
    end(seq) {
      if (ends.at(-1)?.last !== last) ends.push({ seq, last });
    },
    steps() {
      const steps: PositionedFact<Fact>[] = [];
      for (let link = last; link !== null; link = link.before) steps.push(link.step);
      return steps.reverse();
    },
  };
}
