import { gathered, withLines } from '../chronicle/chronicle.ts';
import { embedded } from '../budget/options.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { ordinal } from '../values/id.ts';
import { changeView } from './evolve-entries.ts';
import { forgetRecovered } from './evolve-recovery.ts';
import type { CheckpointFact, CompressionFact, Evolution, FactOf } from './fact.ts';
import { withText, type State } from './state.ts';
import { released, toHuman, withItems } from './view.ts';

/** How the state changes with facts about compressions and the checkpoints that they make. */
export const checkpointEvolution: Evolution<CompressionFact | CheckpointFact> = {
  'compression.started': (state) => state,
  'compression.moved': (state, fact) =>
    changeView(state, fact.frame, (view) => ({ ...view, compression: fact.state })),
  'compression.skipped': skipCompression,
  'compression.failed': (state) => state,
  'compression.refused': (state) => state,
  'summary.invented': (state) => state,
  'compression.cancelled': (state) => state,
  'compression.finished': (state, fact) => ({
    ...state,
    compressions: state.compressions + 1,
    modelSummaries: state.modelSummaries + (isWritten(state, fact) ? 1 : 0),
  }),
  'checkpoint.created': (state, fact) =>
    withCheckpoint(createCheckpoint(forgetRecovered(state), fact), fact.checkpoint),
  'checkpoint.aged': (state, fact) =>
    withText(withText(ageCheckpoint(state, fact), fact.text), fact.breadcrumbs?.texts.at(-1)),
  'checkpoint.raised': (state, fact) => withText(raiseCheckpoint(state, fact), fact.text),
  'checkpoint.rewritten': (state, fact) =>
    withText(rewriteCheckpoint(state, fact), fact.rewrite.text),
  'checkpoint.merged': (state, fact) => withCheckpoint(mergeCheckpoints(state, fact), fact.into),
  'breadcrumbs.many': (state) => state,
  'chronicle.gathered': (state, { source }) =>
    withText({ ...state, chronicle: gathered(state.chronicle, source) }, source),
  'chronicle.written': (state, fact) =>
    withText(
      { ...state, chronicle: withLines(state.chronicle, fact, state.compressions) },
      fact.source,
    ),
};

/** Takes down what a compression that was due left out: what it would take is asked for again once the frame has grown, or what was gone back to no longer fits. */
function skipCompression(state: State, fact: FactOf<'compression.skipped'>): State {
  return changeView(state, fact.frame, (view) =>
    fact.reason === 'gone back' ? { ...view, isHeld: true } : { ...view, stuckAt: view.tokens },
  );
}

/** Puts a new checkpoint in place of the entries it stands for. */
function createCheckpoint(state: State, fact: FactOf<'checkpoint.created'>): State {
  const last = ordinal(fact.checkpoint.to);
  return changeView(state, fact.frame, (view) => {
    const gone = view.items.filter((item) => item.n <= last);
    const stays = view.items.filter((item) => item.n > last);
    return {
      ...withItems(released(view), stays),
      human: [...view.human, ...gone.filter(({ human }) => human).map(toHuman)],
      checkpoints: [...view.checkpoints, fact.checkpoint],
      stuckAt: 0,
    };
  });
}

/** Shortens one checkpoint; its finer versions stay among its sources. */
function ageCheckpoint(state: State, fact: FactOf<'checkpoint.aged'>): State {
  return changeCheckpoint(state, fact, (checkpoint) => aged(checkpoint, fact));
}

function aged(before: Checkpoint, fact: FactOf<'checkpoint.aged'>): Checkpoint {
  const { rewrite: _, ...checkpoint } = before;
  const { age, text, tokens, lines, by, breadcrumbs = checkpoint.breadcrumbs } = fact;
  const sources = [...checkpoint.sources, checkpoint.text];
  const shorter = { ...checkpoint, age, text, tokens, lines, sources, by: by ?? checkpoint.by };
  const older = breadcrumbs === undefined ? shorter : { ...shorter, breadcrumbs };
  if (age === checkpoint.age) return older;
  const { age: was, text: finer, tokens: more, lines: held, by: writer } = checkpoint;
  const version = { age: was, text: finer, tokens: more, lines: held, by: writer };
  return { ...older, finer: [...(checkpoint.finer ?? []), version] };
}

/** Shows a finer version of a checkpoint again. */
function raiseCheckpoint(state: State, fact: FactOf<'checkpoint.raised'>): State {
  return changeCheckpoint(state, fact, (checkpoint) => raised(checkpoint, fact));
}

function raised(before: Checkpoint, fact: FactOf<'checkpoint.raised'>): Checkpoint {
  const { rewrite: _, finer = [], ...checkpoint } = before;
  const { age, text, tokens, lines, by } = fact;
  const index = checkpoint.sources.indexOf(text);
  const sources = index < 0 ? checkpoint.sources : checkpoint.sources.slice(0, index);
  const remaining = finer.slice(0, -1);
  const rest = remaining.length === 0 ? {} : { finer: remaining };
  return { ...checkpoint, age, text, tokens, lines, by, sources, ...rest };
}

/** Keeps a model's version of a checkpoint until the next epoch. */
function rewriteCheckpoint(state: State, fact: FactOf<'checkpoint.rewritten'>): State {
  return changeCheckpoint(state, fact, (checkpoint) => ({ ...checkpoint, rewrite: fact.rewrite }));
}

/** Puts one checkpoint in place of several. */
function mergeCheckpoints(state: State, fact: FactOf<'checkpoint.merged'>): State {
  const gone = new Set(fact.merged);
  return changeView(state, fact.frame, (view) => {
    const first = view.checkpoints.findIndex(({ id }) => gone.has(id));
    const kept = view.checkpoints.filter(({ id }) => !gone.has(id));
    return { ...view, checkpoints: kept.toSpliced(Math.max(0, first), 0, fact.into) };
  });
}

/** The state with `change` made to one checkpoint of a frame. */
function changeCheckpoint(
  state: State,
  { frame, checkpoint: id }: Pick<FactOf<'checkpoint.aged'>, 'frame' | 'checkpoint'>,
  change: (checkpoint: Checkpoint) => Checkpoint,
): State {
  return changeView(state, frame, (view) => ({
    ...view,
    checkpoints: view.checkpoints.map((each) => (each.id === id ? change(each) : each)),
  }));
}

/** The state after a checkpoint and its newest text got their ids. */
function withCheckpoint(state: State, { id, text, breadcrumbs }: Checkpoint): State {
  const known = withText(withText(state, text), breadcrumbs?.texts.at(-1));
  return { ...known, checkpointCount: Math.max(state.checkpointCount, ordinal(id)) };
}

/** Whether a model wrote the summary of a compression. */
const isWritten = ({ options }: State, { by }: FactOf<'compression.finished'>): boolean =>
  by === 'summarizer' && options.summarizer !== embedded;
