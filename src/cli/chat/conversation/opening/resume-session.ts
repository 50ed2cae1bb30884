import type { FrameNode, LogEntry, Session, SessionSummary, Store } from '../../../../index.ts';
import { quote, storeArgument, type CommandCall } from '../../../call/call.ts';
import { cleanLine } from '../../../paper/clean.ts';
import type { Glyphs } from '../../../paper/glyph.ts';
import { age, many } from '../../../paper/size.ts';
import { cut } from '../../../paper/width.ts';
import { isNewName, latestFirst, pickSession } from '../../../sessions/pick.ts';
import type { ChatOptions } from '../chat-options.ts';
import { isAnswer, isBroken } from '../last-entry.ts';
import { titleText } from '../../../sessions/words/title-text.ts';

/** A session that a chat goes on with. */
export interface ResumedSession {
  readonly session: Session;
  /** How it was listed. */
  readonly listed: SessionSummary;
  /** Who answered last; null where nobody did. */
  readonly model: string | null;
  /** What people wrote, the newest first. */
  readonly history: readonly string[];
  /** What was said last, the person first; of each at most one message. */
  readonly last: readonly Utterance[];
  /** Whether the newest entry is an answer, and whole. */
  readonly end: 'answered' | 'broken' | 'unanswered';
}

/** A message and its speaker. */
interface Utterance {
  readonly who: string;
  readonly text: string;
}

/** Newest messages of people that can be called back at the prompt. */
const mostHistory = 200;

/** Newest entries among which those of people are looked for. */
const historyDepth = 1_000;

/** Newest entries among which the name of a model is looked for. */
const modelDepth = 50;

/** Newest sessions among which the latest chat is looked for. */
const deepest = 20;

/** The session that was named, or the latest chat; null where there is none, or a new name was said. */
export async function sessionToResume(
  store: Store,
  said: string | undefined,
): Promise<ResumedSession | null> {
  const sessions = await latestFirst(store);
  if (said !== undefined) {
    if (isNewName(sessions, said)) return null;
    const listed = pickSession(sessions, said);
    const session = await store.open(listed.id);
    return resumedSession(session, listed, await modelOf(session));
  }
  for (const listed of sessions.slice(0, deepest)) {
    const session = await store.open(listed.id);
    const model = await modelOf(session);
    if (model !== null) return resumedSession(session, listed, model);
    await session.close();
  }
  return null;
}

/** Who answered last in a chat; null where the session is none. */
async function modelOf(session: Session): Promise<string | null> {
  for await (const { meta } of session.log({ reverse: true, limit: modelDepth })) {
    const { chat } = meta ?? {};
    if (typeof chat === 'string') return chat;
  }
  return null;
}

async function resumedSession(
  session: Session,
  listed: SessionSummary,
  model: string | null,
): Promise<ResumedSession> {
  const history: string[] = [];
  let answer: Utterance | null = null;
  let last: LogEntry | null = null;
  for await (const entry of session.log({ reverse: true, limit: historyDepth })) {
    last ??= entry;
    const { content } = entry;
    if (typeof content !== 'string') continue;
    const isSaid = entry.role === 'assistant' && content.trim() !== '';
    if (isSaid && history.length === 0) answer ??= { who: model ?? 'model', text: content };
    const isTyped = entry.role === 'user' && entry.origin !== 'machine';
    if (isTyped) history.push(content);
    if (history.length === mostHistory) break;
  }
  const [newest] = history;
  const said = [
    ...(newest === undefined ? [] : [{ who: 'you', text: newest }]),
    ...(answer === null ? [] : [answer]),
  ];
  const end = isBroken(last) ? 'broken' : isAnswer(last) ? 'answered' : 'unanswered';
  return { session, listed, model, history, last: said, end };
}

/** An id for a new chat: the day, and a number where there was one before. */
export async function newId(store: Store, now: Date): Promise<string> {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `chat-${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const taken = new Set<string>();
  for await (const { id } of store.sessions({ prefix: day })) taken.add(id);
  if (!taken.has(day)) return day;
  for (let n = 2; ; n += 1) if (!taken.has(`${day}-${n}`)) return `${day}-${n}`;
}

/** Where a session was left, on a line: when, how much, the goal, the path of frames. */
export function whereText(past: ResumedSession, now: number, glyphs: Glyphs): string {
  const { session, listed } = past;
  const { goal, turn } = session.state;
  const path = pathOf(session.frames.tree());
  const short = (text: string): string => cut(cleanLine(text), 40, glyphs.more);
  const ago = age(now - listed.updated);
  const parts = [
    `Last used ${ago === 'now' ? 'just now' : `${ago} ago`}`,
    many(turn, 'turn'),
    ...(goal === null ? [] : [`goal: ${short(goal.description)}`]),
    ...(path.length < 2
      ? []
      : [`in ${path.map((title) => short(titleText(title))).join(` ${glyphs.to} `)}`]),
  ];
  return parts.join(` ${glyphs.dot} `);
}

/** Titles from the root to the active frame. */
function pathOf(root: FrameNode): readonly string[] {
  if (root.active) return [root.title];
  for (const child of root.children) {
    const path = pathOf(child);
    if (path.length > 0) return [root.title, ...path];
  }
  return [];
}

/** The command that goes on with a session, with what was told and is not kept with it. */
export function resumeLine(session: string, options: ChatOptions, call: CommandCall): string {
  const { host, openai, tools, mcp, documents, frames } = options;
  const words = [
    ...(host === undefined ? [] : ['--host', quote(host)]),
    ...(openai === undefined ? [] : ['--openai', ...(openai === true ? [] : [quote(openai)])]),
    ...(tools === undefined ? [] : ['--tools', tools.join(',')]),
    ...(mcp === undefined ? [] : ['--mcp', quote(mcp)]),
    ...(documents === undefined ? [] : ['--documents', quote(documents)]),
    ...(frames === undefined ? [] : [frames ? '--frames' : '--no-frames']),
  ].map((word) => ` ${word}`);
  return `flamestack chat ${quote(session)}${words.join('')}${storeArgument(call)}`;
}
