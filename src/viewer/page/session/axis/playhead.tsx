import type { ComponentChild } from 'preact';
import { placeAtPlayhead, playhead } from '../lane/lanes.ts';
import { useLane } from '../lane/use-lane.ts';

/** Where the playhead stands. */
export function Playhead(): ComponentChild {
  const { count } = useLane();
  if (count.value === 0 || playhead.count.value === 0) return null;
  return <i class="playhead" style={{ left: `${placeAtPlayhead.value * 100}%` }} />;
}
