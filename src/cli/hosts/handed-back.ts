import {
  isEngineError,
  openStore,
  sections,
  type OutMessage,
  type Section,
  type Session,
  type Store,
} from '../../index.ts';
import { messageText, speakerOf } from '../render/message.ts';
import type { HookEvent } from './hook-event.ts';
import { storeToRecord, takeIn } from './take-in.ts';

/** The most that an agent takes of a hook, in UTF-16 units; what is longer it lays aside, unread. */
const longest = 9_800;

/** How long taking in what is new may hold up the agent, in milliseconds; what is not in then comes later. */
const patience = 8_000;

/** What stands for the work until now, for an agent that has just compacted its context; '' where nothing is known. */
export async function handedBack(event: HookEvent, folder: string): Promise<string> {
  await using store = await newestStore(event, folder);
  const session = await found(store, event.session);
  return session === null ? '' : handedBackText(session);
}

/** What the log says of the work, as far as an agent takes of it; '' for an empty log. */
export async function handedBackText(session: Session): Promise<string> {
  const { messages } = await session.assemble();
  const parts = sections.filter((section) => section !== 'system').map(partOf(messages));
  const known = parts.filter(({ length }) => length > 0);
  return known.length === 0 ? '' : contained(fitted(preface(session.id), known));
}

/** The store with all that the transcript has by now; as it is, where another process writes to it. */
async function newestStore({ transcript }: HookEvent, folder: string): Promise<Store> {
  try {
    const store = await storeToRecord(folder);
    const signal = AbortSignal.timeout(patience);
    await takeIn(store, transcript, signal).catch((error: unknown) =>
      ignoreUnless(error, signal.aborted),
    );
    return store;
  } catch (error) {
    if (!isEngineError(error, 'STORE_IN_USE')) throw error;
    return openStore(folder, { readOnly: true });
  }
}

function ignoreUnless(error: unknown, isLate: boolean): void {
  if (!isLate && !isEngineError(error)) throw error;
}

async function found(store: Store, id: string) {
  for await (const one of store.sessions()) if (one.id === id) return store.open(id);
  return null;
}

/** The lines of a section; of the last entries each begins with whose it is, and goes on indented, so that none can pass for another. */
const partOf =
  (messages: readonly OutMessage[]) =>
  (section: Section): readonly string[] => {
    const those = messages.filter((message) => message.section === section);
    if (section !== 'working') return those.flatMap((one) => messageText(one).split('\n'));
    // What the agent put in itself it has: its summary, and what its own commands said.
    const lines = those
      .filter((one) => speakerOf(one) !== 'machine')
      .map((one) => {
        const head = one.entry === undefined ? '' : `[${one.entry} ${speakerOf(one)}] `;
        return `${head}${messageText(one).replaceAll('\n', '\n  ')}`;
      });
    return lines.length === 0 ? [] : ['The last entries:', ...lines];
  };

/** A text that cannot end the element into which an agent puts it. */
const contained = (text: string): string => text.replaceAll(/<(?=\/?system-reminder)/gi, '‹');

const preface = (session: string): string =>
  `Flamestack keeps all of this session; this is what its log says of the work until now, in the words of the log. Where a summary says otherwise, this is what was said and done. Ids such as e12 are entries of the log: the tool \`recall\` of the server flamestack opens them and finds all else word for word (session "${session}"); without it, \`flamestack search "words" --session ${session}\`.`;

/** The parts in their order; where they are too long, the oldest lines of the longest go. */
function fitted(head: string, parts: readonly (readonly string[])[]): string {
  const left = parts.map((part) => ({ part: [...part], size: sizeOf(part) }));
  let size = head.length + left.reduce((sum, one) => sum + one.size, 0);
  while (size > longest) {
    const longestPart = left.reduce((one, other) => (other.size > one.size ? other : one));
    // The first line says what the part is.
    const at = Math.min(1, longestPart.part.length - 1);
    const gone = sizeOf(longestPart.part.splice(at, 1));
    longestPart.size -= gone;
    size -= gone;
  }
  return [head, ...left.map(({ part }) => part.join('\n'))].join('\n\n');
}

/** The length of lines, with the breaks after them. */
const sizeOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.length + 2, 2);
