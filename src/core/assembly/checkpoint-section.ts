import type { Bodies } from '../messages/bodies.ts';
import { rangeLabel, type Checkpoint } from '../checkpoints/checkpoint.ts';
import type { State } from '../state/state.ts';

/** The checkpoints of the active frame and what was recovered last; '' for none. */
export function checkpointSection({ views, active, watch }: State, bodies: Bodies): string {
  const checkpoints = joinBlocks(views.get(active)?.checkpoints ?? [], bodies);
  const recovered = watch.recovered === null ? '' : bodies.text(watch.recovered.text);
  return [checkpoints, recovered].filter((text) => text !== '').join('\n');
}

/** The checkpoints of the active frame, oldest first; '' for none. */
function joinBlocks(checkpoints: readonly Checkpoint[], bodies: Bodies): string {
  return checkpoints
    .map((checkpoint) => checkpointBlock(checkpoint, bodies.text(checkpoint.text)))
    .join('\n');
}

/** One checkpoint as the model sees it; the entries named lead back to the log. */
function checkpointBlock(
  checkpoint: Pick<Checkpoint, 'id' | 'age' | 'from' | 'to' | 'entries'>,
  text: string,
): string {
  const head = `<checkpoint id="${checkpoint.id}" age="${checkpoint.age}" entries="${rangeLabel(checkpoint)}" count="${checkpoint.entries}"`;
  return text === '' ? `${head}/>` : `${head}>\n${text}\n</checkpoint>`;
}
