import type { Bodies } from '../messages/bodies.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { rangeLabel } from '../values/span.ts';
import type { State } from '../state/state.ts';

/** The checkpoints of the active frame, oldest first, and the last recovery; '' for neither. */
export function checkpointSection({ views, active, watch }: State, bodies: Bodies): string {
  const checkpoints = views.get(active)?.checkpoints ?? [];
  const blocks = checkpoints.map((checkpoint) => block(checkpoint, bodies.text(checkpoint.text)));
  const recovered = watch.recovered === null ? '' : bodies.text(watch.recovered.text);
  return [...blocks, recovered].filter((text) => text !== '').join('\n');
}

/** One checkpoint in its tag, which names the entries that it stands for. */
function block(checkpoint: Checkpoint, text: string): string {
  const { id, age, entries } = checkpoint;
  const tag = `<checkpoint id="${id}" age="${age}" entries="${rangeLabel(checkpoint)}" count="${entries}"`;
  return text === '' ? `${tag}/>` : `${tag}>\n${text}\n</checkpoint>`;
}
