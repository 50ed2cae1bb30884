import type {
  CommitRequest,
  CompressionMemory,
  CompressionRange,
  SummaryRequest,
} from '../src/core/checkpoints/compression-state.ts';

// What the compression machine asks its ports, read from its context.

interface Asking {
  readonly context: CompressionMemory & { readonly force: boolean };
}

/** What is measured for. */
export const demandOf = ({ context: { force, focus } }: Asking) => ({
  force,
  focus,
});

/** What the summarizer is asked. */
export const summaryRequestOf = ({
  context: { stretch, strict, attempt, focus },
}: Asking): SummaryRequest => ({ stretch: stretch!, strict, attempt, focus });

/** How long is waited after a failed call: 250 ms, and twice as long each time. */
export const backoffOf = ({ context }: Asking) => ({
  milliseconds: 2 ** context.attempt * 250,
});

/** What is committed, with the key by which it is done once. */
export const commitRequestOf = ({ context }: Asking): CommitRequest => ({
  memory: memoryIn(context),
  key: keyOf(context.stretch!),
});

/** The part of the context that ports see, and that rests with a session. */
const memoryIn = ({ stretch, focus, attempt, strict, summary, by }: CompressionMemory) => ({
  stretch,
  focus,
  attempt,
  strict,
  summary,
  by,
});

const keyOf = ({ frame, from, to }: CompressionRange): string => `${frame}/${from}-${to}`;
