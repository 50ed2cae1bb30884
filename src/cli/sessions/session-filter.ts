import { resolve } from 'node:path';
import type { SessionSummary } from '../../index.ts';
import type { SessionOutline } from '../../reader.ts';

/** Which sessions of a store are meant. */
export interface SessionFilter {
  /** A part of the folder's path; `.`, or a path that begins so or with `/`, is that folder and all below it. */
  readonly project?: string | undefined;
  /** Sessions in which something was said then or later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** A part of the agent's name. */
  readonly agent?: string | undefined;
  /** Words that stand in title, folder, branch or agent, or that the id begins with. */
  readonly words?: readonly string[] | undefined;
}

/** Whether a session is meant. */
export function isMeant(session: SessionSummary, filter: SessionFilter): boolean {
  const { project, since, agent, words = [] } = filter;
  const { title, folder, branch, agent: by, id } = session;
  return (
    (project === undefined || (folder !== undefined && isIn(folder, project))) &&
    (since === undefined || session.said >= since) &&
    (agent === undefined || holds(by ?? '', agent)) &&
    words.every((word) => holds([title, folder, branch, by].join('\n'), word) || begins(id, word))
  );
}

/** The same of one in outline, of which no more is read where nothing is asked. */
export function isOutlineMeant(outline: SessionOutline, filter: SessionFilter): boolean {
  const { project, since, agent, words = [] } = filter;
  const criteria = [project, since, agent, words[0]];
  return criteria.every((one) => one === undefined) || isMeant(outline.summary(), filter);
}

function isIn(folder: string, project: string): boolean {
  if (!/^[./]/.test(project)) return holds(folder, project);
  const path = resolve(project);
  return folder === path || folder.startsWith(path === '/' ? path : `${path}/`);
}

/** Whether an id begins so, in capitals or not. */
export const begins = (id: string, word: string): boolean =>
  id.toLowerCase().startsWith(word.toLowerCase());

/** Whether a text has another in it, whatever their case. */
export const holds = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase());
