import { writeFileSync } from 'node:fs';
import ELK from 'elkjs/lib/elk.bundled.js';
import {
  compressionMachine,
  frameMachine,
  recoveryMachine,
  sessionMachine,
  toArrows,
} from 'flamestack/machines';

// Lays the machines out for the page, once: it draws what src/viewer/page/charts.json says.

const letter = 6.4;
const line = 14;
const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.layered.spacing.nodeNodeBetweenLayers': '28',
  'elk.padding': '[top=24,left=8,bottom=8,right=8]',
};

const charts = {};
for (const machine of [sessionMachine, frameMachine, compressionMachine, recoveryMachine])
  charts[machine.id] = await chartOf(machine);
const file = new URL('../src/viewer/page/charts.json', import.meta.url);
const lines = Object.entries(charts).map(
  ([id, chart]) => `${JSON.stringify(id)}: ${JSON.stringify(chart)}`,
);
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);

/** The states and arrows of a machine with their places; arrows between the same two states are one, with a line for each. */
async function chartOf(machine) {
  const between = grouped(toArrows(machine));
  const laid = await new ELK().layout({
    id: machine.id,
    layoutOptions: options,
    children: Object.values(machine.states).map(({ key, type }) => ({
      id: key,
      width: Math.ceil(key.length * 7.4 + 28),
      height: type === 'final' ? 30 : 34,
    })),
    edges: between.map((arrows, n) => {
      const labels = arrows.map(labelOf);
      const width = Math.ceil(Math.max(...labels.map(({ length }) => length)) * letter + 8);
      return {
        id: String(n),
        sources: [arrows[0].from],
        targets: [arrows[0].to],
        labels: [
          {
            text: labels.join('\n'),
            width,
            height: labels.length * line + 2,
            layoutOptions: { 'elk.edgeLabels.inline': 'true' },
          },
        ],
      };
    }),
  });
  return {
    width: Math.ceil(laid.width),
    height: Math.ceil(laid.height),
    states: laid.children.map(({ id, ...box }) => ({
      name: id,
      isFinal: machine.states[id].type === 'final',
      isInitial: machine.config.initial === id,
      ...boxOf(box),
    })),
    arrows: laid.edges.map(({ id, sections, labels: [label] }) => ({
      from: between[id][0].from,
      to: between[id][0].to,
      lines: between[id].map(({ event, guard }) => ({ event, guard })),
      points: sections.flatMap(({ startPoint, bendPoints = [], endPoint }) =>
        [startPoint, ...bendPoints, endPoint].map(({ x, y }) => [round(x), round(y)]),
      ),
      label: boxOf(label),
    })),
  };
}

function grouped(arrows) {
  const groups = new Map();
  for (const arrow of arrows) {
    const key = `${arrow.from} ${arrow.to}`;
    groups.set(key, [...(groups.get(key) ?? []), arrow]);
  }
  return [...groups.values()];
}

function labelOf({ event, guard }) {
  return guard === '' ? event : `${event} [${guard}]`;
}

function boxOf({ x, y, width, height }) {
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

function round(value) {
  return Math.round(value * 10) / 10;
}
