import type { Bodies } from '../messages/bodies.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { entryId } from '../values/id.ts';
import { rangeLabel } from '../values/span.ts';
import type { State } from '../state/state.ts';

/**
 * The checkpoints of the active frame, oldest first, the last recovery, and which request is the last
 * where that, the newest entry of a person when the epoch began, stands behind them; '' for none of it.
 */
export function checkpointSection(state: State, newest: State['newest'], bodies: Bodies): string {
  const { views, active, losses } = state;
  const view = views.get(active);
  const checkpoints = view?.checkpoints ?? [];
  const blocks = checkpoints.map((checkpoint) => block(checkpoint, bodies.text(checkpoint.text)));
  const recovered = losses.recovered === null ? '' : bodies.text(losses.recovered.text);
  const isBehind = view?.human.some(({ n }) => n === newest?.n) ?? false;
  const request = isBehind ? requestLine(newest!.n) : '';
  return [...blocks, recovered, request].filter((text) => text !== '').join('\n');
}

/** Says where the request belongs whose turn began before what is shown of it; a newer one may follow. */
const requestLine = (n: number): string =>
  `The next message is ${entryId(n)}, the request begun earlier; what is told after ${entryId(n)} was done for it.`;

/** One checkpoint in its tag, which names the entries that it stands for. */
function block(checkpoint: Checkpoint, text: string): string {
  const { id, age, entries } = checkpoint;
  const tag = `<checkpoint id="${id}" age="${age}" entries="${rangeLabel(checkpoint)}" count="${entries}"`;
  return text === '' ? `${tag}/>` : `${tag}>\n${text}\n</checkpoint>`;
}
