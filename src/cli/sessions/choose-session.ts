import { createInterface } from 'node:readline';
import { isEngineError } from '../../names.ts';
import type { SessionSummary } from '../../index.ts';
import type { SessionOutline } from '../../reader.ts';
import type { CommandCall } from '../call/call.ts';
import { cleanLine } from '../paper/clean.ts';
import { table, type Column } from '../paper/table.ts';
import { number } from '../paper/size.ts';
import { cut } from '../paper/width.ts';
import { saidText } from './words/file-time.ts';
import { folderName } from './words/folder-name.ts';
import { fittingSessions, nearest, pickSession } from './pick.ts';
import { shortId } from './words/short-id.ts';
import { titleText } from './words/title-text.ts';

/**
 * The session that a person means, as {@link pickSession}; where several are near, or none is meant and some are near, whoever
 * sits at the terminal is asked which. Throws `SESSION_NOT_FOUND`.
 */
export async function chooseSession(
  sessions: readonly SessionSummary[],
  said: string | undefined,
  call: CommandCall,
): Promise<SessionSummary> {
  try {
    return pickSession(sessions, said);
  } catch (error) {
    if (!isEngineError(error, 'SESSION_NOT_FOUND') || said === undefined) throw error;
    const ids = error.detail.candidates ?? [];
    const several = ids.flatMap((id) => sessions.find((one) => one.id === id) ?? []);
    const near = several.length > 0 ? several : nearest(sessions, said);
    const { io, json } = call;
    const isThere = io.stdin.isTTY === true && io.stderr.isTTY === true && !json;
    const moreCount = Math.max(0, fittingSessions(sessions, said).length - near.length);
    const chosen = near.length > 0 && isThere ? await ask(near, { said, moreCount }, call) : null;
    if (chosen === null) throw error;
    return chosen;
  }
}

/** {@link chooseSession} among those that are listed in outline. */
export async function chooseOutline(
  all: readonly SessionOutline[],
  said: string | undefined,
  call: CommandCall,
): Promise<SessionOutline> {
  const summaries = all.map((one) => one.summary());
  return all[summaries.indexOf(await chooseSession(summaries, said, call))]!;
}

/** Titles that begin with as many same cells look the same. */
const alike = 40;

/** Asks which of some sessions is meant, and says how many more fit; null for none. */
async function ask(
  near: readonly SessionSummary[],
  { said, moreCount }: { readonly said: string; readonly moreCount: number },
  { io, margin }: CommandCall,
): Promise<SessionSummary | null> {
  const paper = margin();
  const short = shortId(near.map(({ id }) => id));
  const titles = near.map(({ id, title }) => titleText(title ?? id));
  const begun = titles.map((name) => cut(name, alike));
  const hasTwins = new Set(begun).size < begun.length;
  const columns: readonly Column[] = [
    { title: '', align: 'right' },
    ...(hasTwins ? [{ title: 'id' }] : []),
    { title: 'session', gives: true },
    { title: 'project' },
    { title: 'last said', align: 'right' },
  ];
  const rows = near.map((session, at) => [
    String(at + 1),
    ...(hasTwins ? [cleanLine(short(session.id))] : []),
    titles[at]!,
    cleanLine(folderName(session.folder)),
    saidText(session, Date.now()),
  ]);
  const [, ...lines] = table(columns, rows, paper);
  const more =
    moreCount === 0
      ? []
      : [
          `${paper.glyphs.more} ${number(moreCount)} more fit: with more words of a title they are fewer.`,
        ];
  io.stderr.write(`Which one is "${cleanLine(said)}"?\n${[...lines, ...more].join('\n')}\n`);
  const prompt = `Type ${choicesText(near.length)}, or press Enter for none: `;
  io.stderr.write(paper.paint(prompt, 'bold'));
  const typed = createInterface({ input: io.stdin, signal: io.signal });
  try {
    for await (const line of typed) return near[Number(line.trim()) - 1] ?? null;
    io.stderr.write('\n');
    io.signal.throwIfAborted();
    return null;
  } finally {
    typed.close();
  }
}

/** The numbers that may be typed: `1`, `1 or 2`, `a number from 1 to 9`. */
export function choicesText(count: number): string {
  if (count < 3) return count === 1 ? '1' : '1 or 2';
  return `a number from 1 to ${count}`;
}
