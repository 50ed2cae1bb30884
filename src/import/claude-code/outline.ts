import { pathTo } from '../source/branch.ts';
import { unreadLimit } from '../source/unread.ts';
import { contentOf } from '../source/content.ts';
import { hashOf } from '../source/key.ts';
import {
  isBlank,
  recordAt,
  recordsAt,
  stringAt,
  stringsAt,
  toRecord,
  type Json,
} from '../source/record.ts';
import type { Step } from '../source/step.ts';
import {
  faultOf,
  isTyped,
  kindOf,
  partOf,
  type SubagentChain,
  type LineNode,
  type NodePosition,
} from './node.ts';
import { noteQueued, type Queue } from './queued.ts';
import type { SessionFiles } from './subagent-files.ts';

// Lines of a Claude Code file name the line they follow, noise included, so
// all of them are links. Three things hide in that graph:
//
//   rewinds       a prompt was taken back: a branch that leads nowhere
//   parallel      calls of one message stand on lines of their own, and the
//   calls         result of each follows its own line: a fork, but no rewind
//   side chains   a subagent's lines, with a root of their own
//
//   call a ── call b ── result b ── answer        on the path
//      └───── result a                            beside it, and yet told

/** A call that gave a prompt to a subagent. */
export interface SubagentCall {
  readonly id: string;
  readonly description?: string;
  /** The line that made the call. */
  readonly node: string;
}

/** The outline that a first reading of a Claude Code file makes. */
export interface ClaudeOutline {
  readonly nodes: ReadonlyMap<string, LineNode>;
  readonly chains: readonly SubagentChain[];
  /** What people said while the model was at work. */
  readonly queued: Queue;
  /** Calls of subagents, by the hash of their prompt. */
  readonly errands: ReadonlyMap<string, readonly SubagentCall[]>;
  /** Ids of calls by the subagent that answered them, where a line says so. */
  readonly answers: ReadonlyMap<string, string>;
  /** Ids of calls whose result is an error. */
  readonly errors: ReadonlySet<string>;
  readonly skips: readonly Extract<Step, { type: 'skip' }>[];
  /** Ids of the main lines that are imported, parallel ones included. */
  readonly path: ReadonlySet<string>;
  readonly session?: string;
  /** The subagent whose file this is, if it holds nothing else. */
  readonly agent?: string;
  readonly title?: string;
  /** The folder that it began in, and the branch of its last line. */
  readonly place: { readonly folder?: string; readonly branch?: string };
  /** The first line's text. */
  readonly first: string;
}

interface ClaudeOutlineDraft {
  readonly nodes: Map<string, LineNode>;
  readonly chains: Map<string, SubagentChain>;
  readonly queued: Queue;
  readonly errands: Map<string, SubagentCall[]>;
  readonly answers: Map<string, string>;
  readonly errors: Set<string>;
  readonly skips: Extract<Step, { type: 'skip' }>[];
  /** Titles by the type of their line, and summaries by the leaf that they end at. */
  readonly titles: Map<string, string>;
  lastMain?: LineNode;
  lastChain?: SubagentChain;
  session?: string | undefined;
  agent?: string | undefined;
  place: ClaudeOutline['place'];
  first?: string;
}

/** Reads the files once. */
export async function outlineOf(files: SessionFiles, signal?: AbortSignal): Promise<ClaudeOutline> {
  const draft: ClaudeOutlineDraft = {
    nodes: new Map(),
    chains: new Map(),
    queued: { delivered: [], waiting: [] },
    errands: new Map(),
    answers: new Map(),
    errors: new Set(),
    skips: [],
    titles: new Map(),
    place: {},
  };
  const note = unreadLimit(files, 'claude-code');
  for await (const { text, line } of files.lines(signal)) {
    if (isBlank(text)) continue;
    draft.first ??= text;
    const record = toRecord(text);
    const wrong = typeof record === 'string' ? record : faultOf(record);
    note(wrong === undefined);
    if (typeof record === 'string' || wrong !== undefined)
      draft.skips.push({ type: 'skip', line, reason: wrong ?? '' });
    else noteRecord(draft, record, { line, file: files.fileAt(line)?.file });
  }
  const { nodes, queued, errands, answers, errors, skips, chains, session, agent } = draft;
  const title = titleOf(draft);
  return {
    nodes,
    queued,
    errands,
    answers,
    errors,
    skips,
    chains: [...chains.values()].filter((chain) => chain.nodes.length > 0),
    path: pathOf(nodes),
    ...(session === undefined ? {} : { session }),
    ...(agent === undefined || draft.lastMain !== undefined ? {} : { agent }),
    ...(title === undefined ? {} : { title }),
    place: draft.place,
    first: draft.first ?? '',
  };
}

/** Where a line stands: its number, and the file of a subagent that it is of. */
interface LinePlace {
  readonly line: number;
  readonly file: string | undefined;
}

function noteRecord(draft: ClaudeOutlineDraft, record: Json, { line, file }: LinePlace): void {
  draft.session ??= stringAt(record, 'sessionId');
  draft.agent ??= stringAt(record, 'agentId');
  if (file === undefined) {
    noteTitle(draft.titles, record);
    noteQueued(draft.queued, record, line);
    const place = stringsAt(record, { folder: 'cwd', branch: 'gitBranch' });
    const { folder = place.folder } = draft.place;
    draft.place = { ...draft.place, ...place, ...(folder === undefined ? {} : { folder }) };
  }
  noteAnswer(draft.answers, record);
  const id = stringAt(record, 'uuid');
  if (id === undefined) return;
  const same = draft.nodes.get(id);
  const kind = kindOf(record);
  if (same !== undefined) {
    if (kind !== 'other' && file === undefined)
      draft.skips.push({ type: 'skip', line, reason: `repeats line ${same.line}` });
    return;
  }
  const place = { line, id, kind };
  const node =
    record['isSidechain'] === true || file !== undefined
      ? sideNode(draft, record, { ...place, file })
      : mainNode(draft, record, place);
  draft.nodes.set(id, node);
  if (node.kind === 'other') return;
  node.chain?.nodes.push(node);
  noteCalls(draft, record, node);
}

/** Notes the call that a subagent answered: the result tells, and reports of progress do. */
function noteAnswer(answers: Map<string, string>, record: Json): void {
  const report = recordAt(record, 'toolUseResult') ?? recordAt(record, 'data');
  const agent = report === undefined ? undefined : stringAt(report, 'agentId');
  if (agent === undefined || answers.has(agent)) return;
  const result = recordsAt(recordAt(record, 'message') ?? {}, 'content').find(
    ({ type }) => type === 'tool_result',
  );
  const call = stringAt(record, 'parentToolUseID') ?? stringAt(result ?? {}, 'tool_use_id');
  if (call !== undefined) answers.set(agent, call);
}

function noteTitle(titles: Map<string, string>, record: Json): void {
  const type = String(record['type']);
  const field = { 'custom-title': 'customTitle', 'ai-title': 'aiTitle', summary: 'summary' }[type];
  const title = field === undefined ? undefined : stringAt(record, field);
  if (title === undefined || isBlank(title)) return;
  titles.set(type === 'summary' ? (stringAt(record, 'leafUuid') ?? '') : type, title);
}

/** A title that was given, or a summary; one that ends at a leaf of another file is of another session. */
function titleOf({ titles, nodes }: ClaudeOutlineDraft): string | undefined {
  const title = titles.get('custom-title') ?? titles.get('ai-title');
  return title ?? [...titles].findLast(([leaf]) => nodes.has(leaf))?.[1];
}

function mainNode(draft: ClaudeOutlineDraft, record: Json, spot: NodePosition): LineNode {
  const node = { ...spot, ...partOf(record, spot.kind), parent: mainParent(draft, record) };
  draft.lastMain = node;
  return node;
}

/**
 * The line that a main line follows. A compaction begins anew but names what it
 * follows; where a line is gone, the one before it in the file stands in. Only
 * a typed prompt without a parent begins the conversation again.
 */
function mainParent({ nodes, lastMain }: ClaudeOutlineDraft, record: Json): string | null {
  for (const field of ['parentUuid', 'logicalParentUuid']) {
    const parent = stringAt(record, field);
    const above = parent === undefined ? undefined : nodes.get(parent);
    if (above !== undefined && above.chain === undefined) return above.id;
  }
  if (stringAt(record, 'parentUuid') === undefined && isTyped(record)) return null;
  return lastMain?.id ?? null;
}

function sideNode(
  draft: ClaudeOutlineDraft,
  record: Json,
  { file, ...spot }: NodePosition & LinePlace,
): LineNode {
  const parent = stringAt(record, 'parentUuid');
  const above = parent === undefined ? undefined : draft.nodes.get(parent);
  const agent = stringAt(record, 'agentId');
  const name = file ?? agent;
  const chain =
    (name === undefined ? above?.chain : draft.chains.get(name)) ??
    (parent === undefined || above !== undefined || name !== undefined
      ? undefined
      : draft.lastChain) ??
    newChain(draft, name ?? spot.id, {
      isApart: file !== undefined,
      ...(agent === undefined ? {} : { agent }),
    });
  draft.lastChain = chain;
  if (spot.kind === 'user' && chain.nodes.length === 0)
    chain.prompt = hashOf(JSON.stringify(contentOf(recordAt(record, 'message')?.['content'])));
  return { ...spot, ...partOf(record, spot.kind), parent: above?.id ?? null, chain };
}

function newChain(
  draft: ClaudeOutlineDraft,
  id: string,
  options: Pick<SubagentChain, 'agent' | 'isApart'>,
): SubagentChain {
  const chain: SubagentChain = { ...options, nodes: [] };
  draft.chains.set(id, chain);
  return chain;
}

function noteCalls(
  { errands, errors }: ClaudeOutlineDraft,
  record: Json,
  { id: node }: LineNode,
): void {
  for (const block of recordsAt(recordAt(record, 'message') ?? {}, 'content')) {
    if (block['type'] === 'tool_result' && block['is_error'] === true)
      errors.add(String(block['tool_use_id']));
    const input = block['type'] === 'tool_use' ? recordAt(block, 'input') : undefined;
    const prompt = input === undefined ? undefined : stringAt(input, 'prompt');
    if (input === undefined || prompt === undefined) continue;
    const hash = hashOf(JSON.stringify(prompt));
    const description = stringAt(input, 'description');
    const errand = {
      id: String(block['id']),
      node,
      ...(description === undefined ? {} : { description }),
    };
    errands.set(hash, [...(errands.get(hash) ?? []), errand]);
  }
}

/**
 * The main lines that are imported: those from the last one that talks up to the
 * root, the other lines of their messages that bring calls of their own, and
 * the first result of each call that has none on the path.
 */
function pathOf(nodes: ReadonlyMap<string, LineNode>): Set<string> {
  const main = [...nodes.values()].filter(({ chain }) => chain === undefined);
  const leaf = main.findLast(
    ({ kind, talks }) => kind === 'assistant' || (kind === 'user' && talks),
  );
  const path = pathTo(leaf ?? main.at(-1), nodes);
  const onPath = main.filter(({ id }) => path.has(id));
  const messages = new Set(onPath.map(({ message }) => message));
  const callsOnPath = new Set(onPath.flatMap(callsOf));
  for (const node of main) {
    if (path.has(node.id) || node.message === undefined || !messages.has(node.message)) continue;
    if (callsOf(node).every((call) => callsOnPath.has(call))) continue;
    path.add(node.id);
    for (const call of callsOf(node)) callsOnPath.add(call);
  }
  addResults(main, path);
  return path;
}

/** The calls of a line; an id may come again in another message. */
function callsOf({ message, calls }: LineNode): readonly string[] {
  return calls.map((call) => `${message} ${call}`);
}

/** Adds missing results of imported calls, and the machine text that follows an imported line. */
function addResults(main: readonly LineNode[], path: Set<string>): void {
  const open = new Map<string, number>();
  const note = (calls: readonly string[], change: number): void => {
    for (const call of calls) open.set(call, (open.get(call) ?? 0) + change);
  };
  for (const { id, calls, results } of main) {
    if (!path.has(id)) continue;
    note(calls, 1);
    note(results, -1);
  }
  for (const { id, parent, kind, results, talks } of main) {
    if (path.has(id) || kind !== 'user') continue;
    const answers = results.some((call) => (open.get(call) ?? 0) > 0);
    const follows = results.length === 0 && !talks && parent !== null && path.has(parent);
    if (!answers && !follows) continue;
    path.add(id);
    note(results, -1);
  }
}
