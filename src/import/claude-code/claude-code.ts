import { textOf } from '../../core/messages/message.ts';
import { branchesBeside } from '../source/branch.ts';
import { headRecords } from '../source/head.ts';
import { toSession } from '../source/key.ts';
import {
  abandonedSkip,
  appendAll,
  knownPassage,
  stepsOfPassages,
  type Passage,
} from '../source/passage.ts';
import { stringAt, toRecord, type Json } from '../source/record.ts';
import type { Importer, SourceLine, ReadOptions, Source, Step } from '../source/step.ts';
import { toCriteria, toTitle } from '../source/title.ts';
import { assistantLines, promptText, userLine } from './message.ts';
import type { SubagentChain, LineNode } from './node.ts';
import { outlineOf, type SubagentCall, type ClaudeOutline } from './outline.ts';

// What a Claude Code file says, in the order of its lines:
//
// - the lines of one API message make one message, where the first stands;
// - a side chain makes one frame, where its first line stands, however its
//   lines interleave with others; its prompt is machine text, for no person
//   typed it;
// - a compaction takes nothing away: what came before is told, its summary
//   is not.

/** Session files of Claude Code. */
export const claudeCode: Importer = {
  format: 'claude-code',
  signs: 'lines with `uuid` and `sessionId`, of type "user" or "assistant"',
  detect: (head) => headRecords(head).some(isLine),
  read,
};

function isLine(record: Json): boolean {
  if (record['type'] === 'summary') return typeof record['leafUuid'] === 'string';
  return (
    'isSidechain' in record ||
    ('parentUuid' in record && 'sessionId' in record) ||
    (typeof record['uuid'] === 'string' && typeof record['sessionId'] === 'string')
  );
}

async function* read(source: Source, options: ReadOptions = {}): AsyncIterable<Step> {
  const outline = await outlineOf(source, options.signal);
  const { agent, session, title, first } = outline;
  yield {
    type: 'session',
    id: toSession(agent === undefined ? session : `agent-${agent}`, first),
    ...(title === undefined ? {} : { title: toTitle(title) }),
  };
  yield* stepsOfPassages(source, passagesOf(outline), options);
}

/** A passage, and the line at whose place its steps come. */
interface PassageAtLine {
  readonly line: number;
  readonly passage: Passage;
}

function passagesOf(outline: ClaudeOutline): readonly Passage[] {
  const { nodes, path, skips } = outline;
  const main = [...nodes.values()].filter(({ chain }) => chain === undefined);
  const told = main.filter(({ id, kind }) => path.has(id) && kind !== 'other');
  const placed: readonly PassageAtLine[] = [
    ...skips.map((step) => ({ line: step.line, passage: knownPassage(step) })),
    ...branchesBeside(main, path).flatMap(abandonedBranch),
    ...unitsOf(told).map((unit) => ({ line: unit[0]?.line ?? 0, passage: unitPassage(unit) })),
    ...framesOf(outline),
  ];
  return placed.toSorted((a, b) => a.line - b.line).map(({ passage }) => passage);
}

function abandonedBranch(branch: readonly LineNode[]): readonly PassageAtLine[] {
  const units = unitsOf(branch.filter(({ kind }) => kind !== 'other'));
  const line = units[0]?.[0]?.line;
  return line === undefined
    ? []
    : [{ line, passage: knownPassage(abandonedSkip(line, units.length)) }];
}

/** Groups of lines that make one message, ordered by their first line. */
function unitsOf(nodes: readonly LineNode[]): readonly (readonly LineNode[])[] {
  const units = new Map<string, LineNode[]>();
  for (const node of nodes) {
    const key = node.message === undefined ? `line ${node.id}` : `message ${node.message}`;
    const unit = units.get(key);
    if (unit === undefined) units.set(key, [node]);
    else unit.push(node);
  }
  return [...units.values()];
}

function unitPassage(unit: readonly LineNode[]): Passage {
  return { lines: unit.map(({ line }) => line), toSteps: unitSteps };
}

function* unitSteps(lines: readonly SourceLine[]): Generator<Step> {
  const records = recordsOf(lines);
  const [record] = records;
  const [first] = lines;
  const key = record === undefined ? undefined : stringAt(record, 'uuid');
  if (record === undefined || first === undefined || key === undefined) return;
  const at = Date.parse(stringAt(record, 'timestamp') ?? '');
  const place = { key, line: first.line, at: Number.isNaN(at) ? undefined : at };
  if (record['type'] === 'assistant') {
    const message = assistantLines(records);
    if (message !== undefined) yield* appendAll([message], place);
  } else {
    const isMachine = record['isMeta'] === true || record['isSidechain'] === true;
    yield* appendAll(userLine(record, isMachine), place);
  }
}

function recordsOf(lines: readonly SourceLine[]): readonly Json[] {
  return lines.flatMap(({ text }) => {
    const record = toRecord(text);
    return typeof record === 'string' ? [] : [record];
  });
}

function framesOf({
  chains,
  errands,
  errors,
  nodes,
  path,
}: ClaudeOutline): readonly PassageAtLine[] {
  const left = new Map([...errands].map(([prompt, calls]) => [prompt, [...calls]]));
  return chains.flatMap((chain) => {
    const errand = left.get(chain.prompt ?? '')?.shift();
    const caller = errand === undefined ? undefined : nodes.get(errand.node);
    const line = chain.nodes[0]?.line ?? 0;
    const units = unitsOf(chain.nodes);
    if (caller !== undefined && caller.chain === undefined && !path.has(caller.id))
      return [{ line, passage: knownPassage(abandonedSkip(line, units.length)) }];
    const hasFailed = (errand !== undefined && errors.has(errand.id)) || !isFinished(chain);
    return [
      pushPassage(chain, errand),
      ...units.map(unitPassage),
      popPassage(chain, units, hasFailed),
    ].map((passage) => ({ line, passage }));
  });
}

/** Whether the last line of a subagent is an answer that asks for nothing more. */
function isFinished({ nodes }: SubagentChain): boolean {
  const last = nodes.at(-1);
  if (last?.kind !== 'assistant' || last.broken) return false;
  const answered = new Set(nodes.flatMap(({ results }) => results));
  const unit = nodes.filter(
    ({ id, message }) => id === last.id || (message !== undefined && message === last.message),
  );
  return (
    unit.some(({ talks }) => talks) &&
    unit.every(({ calls }) => calls.every((call) => answered.has(call)))
  );
}

function pushPassage({ nodes: [first] }: SubagentChain, errand: SubagentCall | undefined): Passage {
  if (first === undefined) return { lines: [], toSteps: () => [] };
  const { id, line, at } = first;
  return {
    lines: [line],
    *toSteps(lines) {
      const [record] = recordsOf(lines);
      const prompt = record === undefined ? '' : promptText(record);
      const title = toTitle(errand?.description ?? prompt);
      yield {
        type: 'push',
        title: title === '' ? 'Side chain' : title,
        criteria: toCriteria(prompt) || title || 'Side chain',
        key: `${id}:push`,
        line,
        ...(at === undefined ? {} : { at }),
      };
    },
  };
}

function popPassage(
  chain: SubagentChain,
  units: readonly (readonly LineNode[])[],
  hasFailed: boolean,
): Passage {
  const id = chain.nodes[0]?.id ?? '';
  const { line, at } = chain.nodes.at(-1) ?? { line: 0 };
  const spoken = units.findLast(([node]) => node?.kind === 'assistant') ?? [];
  const answer =
    units.findLast((unit) => unit.some(({ kind, talks }) => kind === 'assistant' && talks)) ??
    spoken;
  return {
    lines: answer.map((node) => node.line),
    *toSteps(lines) {
      const message = assistantLines(recordsOf(lines));
      const results = message === undefined ? '' : textOf(message.content);
      yield {
        type: 'pop',
        status: hasFailed ? 'failed' : 'completed',
        ...(results === '' ? {} : { results }),
        key: `${id}:pop`,
        line,
        ...(at === undefined ? {} : { at }),
      };
    },
  };
}
