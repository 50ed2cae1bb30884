import { transition } from 'xstate';
import type { FrameEvent, FrameStatus, FrameTable } from '../src/core/frame.ts';
import { frameMachine } from './frame.ts';

/**
 * The frame machine as a table: ten thousand frames need a look-up each, not an
 * actor each. Every cell is asked of the machine itself, once, when loaded.
 */
export const frameTable: FrameTable = compile();

function compile(): FrameTable {
  const statuses = Object.keys(frameMachine.states) as FrameStatus[];
  return Object.fromEntries(statuses.map((status) => [status, row(status)])) as FrameTable;
}

function row(status: FrameStatus): Partial<Record<FrameEvent, FrameStatus>> {
  const from = frameMachine.resolveState({ value: status, context: {} });
  const cells = (frameMachine.events as FrameEvent[])
    .filter((type) => from.can({ type }))
    .map((type) => [type, transition(frameMachine, from, { type })[0].value]);
  return Object.fromEntries(cells) as Partial<Record<FrameEvent, FrameStatus>>;
}
