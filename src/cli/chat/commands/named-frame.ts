import type { FrameNode, FrameStatus, Session } from '../../../index.ts';
import { frameName } from '../../render/step.ts';
import { refused } from './refused.ts';

/** A frame that a command names. */
interface NamedFrame {
  readonly id: string;
  /** As it is told: `f2 "Lexer"`. */
  readonly name: string;
  /** What stands behind it. */
  readonly rest: string;
}

/** Most frames that are listed on a line. */
const mostListed = 8;

const waiting: ReadonlySet<FrameStatus> = new Set(['planned', 'blocked']);

/** The frame that all of `text` names, among those that can be begun now. */
export function frameToStart(session: Session, text: string): NamedFrame {
  const all = framesIn(session.frames.tree());
  const active = all.find((frame) => frame.active);
  const frames = (active?.children ?? []).filter(({ status }) => waiting.has(status));
  const called = frames.filter(({ title }) => isSame(title, text));
  return namedFrame(text, { verb: 'start', all, frames, called });
}

/** The frame that `text` begins with, among those that can be given up; of titles the longest. */
export function frameToDrop(session: Session, text: string): NamedFrame {
  const all = framesIn(session.frames.tree());
  const [, ...below] = all;
  const frames = below.filter(({ status }) => waiting.has(status) || status === 'in_progress');
  const begun = frames.filter(
    ({ title }) =>
      isSame(title, text.slice(0, title.length)) && !/\S/.test(text.charAt(title.length)),
  );
  const longest = Math.max(...begun.map(({ title }) => title.length));
  const called = begun.filter(({ title }) => title.length === longest);
  return namedFrame(text, { verb: 'drop', all, frames, called });
}

/** The frame that has the id which `text` is, or begins with where one is given up; else the only one that is called so. */
function namedFrame(
  text: string,
  {
    verb,
    all,
    frames,
    called,
  }: {
    readonly verb: 'start' | 'drop';
    readonly all: readonly FrameNode[];
    readonly frames: readonly FrameNode[];
    readonly called: readonly FrameNode[];
  },
): NamedFrame {
  const byId = verb === 'start' ? /^(f\d+)$/ : /^(f\d+)(?:\s+([^]*))?$/;
  const [, id, behind = ''] = byId.exec(text) ?? [];
  const known = all.find((frame) => frame.id === id);
  // An id that nothing has is refused as such, unless it is a title.
  if (id !== undefined && (known !== undefined || called.length === 0))
    return { id, name: frameName(id, known?.title ?? ''), rest: behind };
  const [frame, ...others] = called;
  if (frame !== undefined && others.length === 0)
    return {
      id: frame.id,
      name: frameName(frame.id, frame.title),
      rest: text.slice(frame.title.length).trim(),
    };
  if (frame !== undefined)
    throw refused(`Several are called "${frame.title}": ${frameList(called)}`);
  if (frames.length === 0) throw refused(`There is none to ${verb}; /plan notes work for later.`);
  throw refused(`None to ${verb} is called "${text}": ${frameList(frames)}`);
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A frame and all below it, each before those below it. */
function framesIn(frame: FrameNode): readonly FrameNode[] {
  return [frame, ...frame.children.flatMap(framesIn)];
}

/** Frames on a line: `f2 "Lexer" (planned)`. */
export function frameList(
  frames: readonly { readonly id: string; readonly title: string; readonly status: string }[],
): string {
  const named = frames
    .slice(0, mostListed)
    .map(({ id, title, status }) => `${frameName(id, title)} (${status})`);
  const more = frames.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
