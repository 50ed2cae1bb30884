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
import { stringAt, type Json } from '../source/record.ts';
import type { Importer, SourceLine, ReadOptions, Source, Step } from '../source/step.ts';
import { toCriteria, toTitle } from '../source/title.ts';
import { assistantLines, promptText, userLine } from './message.ts';
import type { SubagentChain, LineNode } from './node.ts';
import { outlineOf, type ClaudeOutline, type SubagentCall } from './outline.ts';
import { queuedPassages } from './queued.ts';
import { recordsOf, timed, type PassageAtLine } from './unit.ts';
import { sessionFiles, type SessionFiles } from './subagent-files.ts';
import { isAtWork, outcomeOf, type SubagentOutcome } from './subagent-work.ts';

// What a Claude Code file says, in the order of its lines:
//
// - the lines of one API message make one message, where the first stands;
// - a side chain makes one frame, where its first line stands, however its
//   lines interleave with others; its prompt is machine text, for no person
//   typed it; one with a file of its own stands where it was called; one without
//   an end is blocked, and goes on when there is more of it;
// - what a person said while the model was at work stands before the message of the
//   model that came next;
// - a compaction takes nothing away: what came before is told, and its summary
//   as machine text.

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
  const files = await sessionFiles(source, options.signal);
  const outline = await outlineOf(files, options.signal);
  const { agent, session, title, place, first } = outline;
  const frames = framesOf(outline);
  yield {
    type: 'session',
    id: toSession(agent === undefined ? session : `agent-${agent}`, first),
    ...(title === undefined ? {} : { title: toTitle(title) }),
    ...place,
    ...(agent === undefined || session === undefined ? {} : { parent: toSession(session, '') }),
    ...(frames.apart === 0 ? {} : { subagents: frames.apart }),
  };
  for (const reason of files.unreadable) yield { type: 'skip', line: 0, reason };
  for await (const step of stepsOfPassages(files, passagesOf(outline, frames.passages), options))
    yield step.type === 'skip' ? namingFile(step, files) : step;
}

/** A skip with the file of a subagent, where it is of one. */
function namingFile(step: Extract<Step, { type: 'skip' }>, files: SessionFiles): Step {
  const place = files.fileAt(step.line);
  return place === undefined
    ? step
    : { ...step, line: place.line, reason: `${place.file}: ${step.reason}` };
}

function passagesOf(outline: ClaudeOutline, frames: readonly PassageAtLine[]): readonly Passage[] {
  const { nodes, path, queued, skips } = outline;
  const main = [...nodes.values()].filter(({ chain }) => chain === undefined);
  const lines = main.filter(({ id, kind }) => path.has(id) && kind !== 'other');
  const units = unitsOf(lines);
  const placed: readonly PassageAtLine[] = [
    ...skips.map((step) => ({ line: step.line, passage: knownPassage(step) })),
    ...branchesBeside(main, path).flatMap(abandonedBranch),
    ...queuedPassages(queued, units),
    ...units.map((unit) => ({ line: unit[0]?.line ?? 0, passage: unitPassage(unit) })),
    ...frames,
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
  const isSide = unit.some(({ chain }) => chain !== undefined);
  return { lines: unit.map(({ line }) => line), toSteps: (lines) => unitSteps(lines, isSide) };
}

/** The messages of a unit; `isSide` says that it is a subagent's, in which no person types. */
function* unitSteps(lines: readonly SourceLine[], isSide: boolean): Generator<Step> {
  const records = recordsOf(lines);
  const [record] = records;
  const [first] = lines;
  const key = record === undefined ? undefined : stringAt(record, 'uuid');
  if (record === undefined || first === undefined || key === undefined) return;
  const place = { key, ...timed(record, first.line) };
  if (record['type'] === 'assistant') {
    const message = assistantLines(records);
    if (message !== undefined)
      yield* appendAll([message], { ...place, isJoined: records.length > 1 });
  } else {
    const isMachine = isSide || record['isMeta'] === true || record['isCompactSummary'] === true;
    yield* appendAll(userLine(record, isMachine), place);
  }
}

/** A subagent, with the call that it answers where one is found. */
interface SubagentFrame {
  readonly chain: SubagentChain;
  readonly errand: SubagentCall | undefined;
}

/** The passages of the frames, and how many of them are of files of their own. */
function framesOf(outline: ClaudeOutline): {
  readonly passages: readonly PassageAtLine[];
  readonly apart: number;
} {
  const { nodes, path } = outline;
  /** Subagents with files of their own, by the line that called them. */
  const called = new Map<string, SubagentFrame[]>();
  const frames = errandsOf(outline);
  for (const frame of frames) {
    const { chain, errand } = frame;
    if (!chain.isApart || errand === undefined) continue;
    called.set(errand.node, [...(called.get(errand.node) ?? []), frame]);
  }
  const passed = new Set<SubagentChain>();
  const left = new Set<SubagentChain>();
  const passagesOf = (frame: SubagentFrame): readonly Passage[] => {
    const { chain, errand } = frame;
    passed.add(chain);
    const units = unitsOf(chain.nodes);
    const inner = units.flatMap((unit) => [
      unitPassage(unit),
      ...unit.flatMap(({ id }) => called.get(id) ?? []).flatMap(passagesOf),
    ]);
    const told = inner.reduce((sum, { lines }) => sum + lines.length, 0);
    const end = popPassage(chain, units, { status: statusOf(frame, outline), told });
    return [pushPassage(chain, errand), ...inner, end];
  };
  const passages = frames.flatMap((frame): readonly PassageAtLine[] => {
    const { chain, errand } = frame;
    const caller = errand === undefined ? undefined : nodes.get(errand.node);
    if (chain.isApart && (caller === undefined || caller.chain !== undefined)) return [];
    const line = (chain.isApart ? caller?.line : chain.nodes[0]?.line) ?? 0;
    if (caller !== undefined && caller.chain === undefined && !path.has(caller.id)) {
      left.add(chain);
      const count = unitsOf(chain.nodes).length;
      return [{ line, passage: knownPassage(abandonedSkip(line, count)) }];
    }
    return passagesOf(frame).map((passage) => ({ line, passage }));
  });
  const orphans = frames.filter(({ chain }) => !passed.has(chain) && !left.has(chain));
  return {
    passages: [...passages, ...orphans.map(({ chain }) => orphanSkip(chain))],
    apart: frames.filter(({ chain }) => chain.isApart && passed.has(chain)).length,
  };
}

function statusOf({ chain, errand }: SubagentFrame, outline: ClaudeOutline): SubagentOutcome {
  if (errand !== undefined && outline.errors.has(errand.id)) return 'failed';
  return isAtWork(chain, errand, outline) ? 'blocked' : outcomeOf(chain);
}

/** Each subagent with its call: the one that a line names, or the first left with its prompt. */
function errandsOf({ chains, errands, answers }: ClaudeOutline): readonly SubagentFrame[] {
  const byId = new Map([...errands.values()].flat().map((errand) => [errand.id, errand]));
  const named = new Map(
    chains.map((chain) => [chain, byId.get(answers.get(chain.agent ?? '') ?? '')]),
  );
  const taken = new Set(named.values());
  return chains.map((chain) => {
    const own = new Set(chain.nodes.map(({ id }) => id));
    const errand =
      named.get(chain) ??
      (errands.get(chain.prompt ?? '') ?? []).find((one) => !taken.has(one) && !own.has(one.node));
    taken.add(errand);
    return { chain, errand };
  });
}

/** The skip of a subagent's file whose call is not in the session. */
function orphanSkip({ agent, nodes }: SubagentChain): PassageAtLine {
  const line = nodes[0]?.line ?? 0;
  const reason =
    agent?.startsWith('acompact') === true
      ? 'of a compaction, which takes nothing away'
      : `no call in the session is answered by its ${nodes.length} lines`;
  return { line, passage: knownPassage({ type: 'skip', line, reason }) };
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

/** How a frame is left, and how many lines were told in it. */
interface FrameEnd {
  readonly status: SubagentOutcome;
  readonly told: number;
}

/** Why a frame is blocked whose subagent has no end. */
const endless = 'no end in the file: at work when it was written, or broken off';

function popPassage(
  chain: SubagentChain,
  units: readonly (readonly LineNode[])[],
  { status, told }: FrameEnd,
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
      const said = message === undefined ? '' : textOf(message.content);
      const isBlocked = status === 'blocked';
      const results = said === '' && isBlocked ? endless : said;
      yield {
        type: 'pop',
        status,
        ...(results === '' ? {} : { results }),
        ...(isBlocked ? { brief: endless } : { drop: true }),
        key: isBlocked ? `${id}:blocked:${told}` : `${id}:pop`,
        line,
        ...(at === undefined ? {} : { at }),
      };
    },
  };
}
