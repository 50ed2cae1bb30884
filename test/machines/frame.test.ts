import { createActor } from 'xstate';
import { adjacencyMapToArray, getAdjacencyMap, getShortestPaths } from 'xstate/graph';
import { expect, test } from 'vitest';
import { frameMachine, frameTable } from '../../machines/index.ts';
import type { FrameEvent, FrameStatus } from '../../src/core/frames/frame.ts';
import { walk, walks } from './walk.ts';

// Design §4, as one table: rows are statuses, columns what is asked.
const rules = `
               start        complete   fail    block    invalidate
  planned      in_progress  ·          ·       ·        invalidated
  in_progress  ·            completed  failed  blocked  invalidated
  blocked      in_progress  ·          failed  ·        invalidated
  completed    ·            ·          ·       ·        ·
  failed       ·            ·          ·       ·        ·
  invalidated  ·            ·          ·       ·        ·
`;

const statuses = Object.keys(frameMachine.states) as FrameStatus[];
const events = frameMachine.events as FrameEvent[];
const cells = statuses.flatMap((status) => events.map((event) => ({ status, event })));
const arrows = adjacencyMapToArray(
  getAdjacencyMap(frameMachine, { events: events.map((type) => ({ type })) }),
).map(({ state, event, nextState }) => ({
  from: state.value,
  event: event.type,
  to: nextState.value,
}));

test('the table says what the design says', () => {
  expect(frameTable).toEqual(parse(rules));
});

test('the machine has the statuses and events of the table, and no others', () => {
  const { table, columns } = read(rules);
  expect(statuses.toSorted()).toEqual(Object.keys(table).toSorted());
  expect(events.toSorted()).toEqual(columns.toSorted());
  expect(statuses.length).toBeLessThanOrEqual(12);
});

test('every arrow of the machine is a cell of the table, and every cell an arrow', () => {
  expect(arrows).toHaveLength(cells.length);
  for (const { from, event, to } of arrows) expect(frameTable[from][event] ?? from).toBe(to);
  const drawn = new Set(
    arrows.filter(({ from, to }) => from !== to).map((a) => `${a.from} ${a.event} ${a.to}`),
  );
  const written = cells.flatMap(({ status, event }) => {
    const to = frameTable[status][event];
    return to === undefined ? [] : [`${status} ${event} ${to}`];
  });
  expect(drawn).toEqual(new Set(written));
});

test.each(cells)('a frame that is $status meets $event as the table says', ({ status, event }) => {
  const snapshot = frameMachine.resolveState({ value: status, context: {} });
  const actor = createActor(frameMachine, { snapshot }).start();
  const to = frameTable[status][event];
  expect(actor.getSnapshot().can({ type: event })).toBe(to !== undefined);
  if (actor.getSnapshot().status === 'active') actor.send({ type: event });
  expect(actor.getSnapshot().value).toBe(to ?? status);
});

test('nothing leaves a completed, failed or invalidated frame', () => {
  for (const status of ['completed', 'failed', 'invalidated'] as const)
    expect(frameTable[status]).toEqual({});
});

test('every status is reached from planned', () => {
  const reached = getShortestPaths(frameMachine).map(({ state }) => state.value);
  expect(reached.toSorted()).toEqual(statuses.toSorted());
});

test.each(walks(frameMachine))('a live actor goes %s', async (_, path) => {
  await walk(frameMachine, path);
});

function parse(text: string) {
  return read(text).table;
}

function read(text: string) {
  const [head = '', ...lines] = text.trim().split('\n');
  const columns = head
    .trim()
    .split(/\s+/)
    .map((word) => `frame.${word}` as FrameEvent);
  const table = Object.fromEntries(
    lines.map((line) => {
      const [status = '', ...targets] = line.trim().split(/\s+/);
      const row = targets.flatMap((to, index) => (to === '·' ? [] : [[columns[index], to]]));
      return [status, Object.fromEntries(row) as Partial<Record<FrameEvent, FrameStatus>>];
    }),
  );
  return { table, columns };
}
