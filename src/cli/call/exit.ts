import { isEngineError, type EngineError, type ErrorCode } from '../../names.ts';
import type { ErrorDetails } from '../../index.ts';
import { nearModelName } from './near.ts';
import { many } from '../paper/size.ts';
import { quote, storeArgument, type CommandCall } from './call.ts';

/** Exit codes; scripts rely on them. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  nothing: 3,
  /** The work was done, and what it was to prove is not so. */
  check: 4,
  interrupted: 130,
} as const;

/** What each exit code says. */
export const exitMeanings: Readonly<Record<keyof typeof exits, string>> = {
  done: 'done as asked',
  failed: 'it failed, as the message says; for replay --verify also: it differs',
  usage: 'the command line, a setting or a value makes no sense; nothing was done',
  nothing: 'there is no such store, session, entry or moment; nothing was found',
  check: 'what was checked is not as it should be: verify, doctor, test and others',
  interrupted: 'Ctrl-C; another signal ends with 128 and its number (143: SIGTERM)',
};

/** A failure, for a person and for a script. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Advice; empty for none. */
  readonly advice: string;
  readonly exit: number;
}

/** The failure of an error; commands that it advises name the store of the call. */
export function toFailure(error: unknown, call?: CommandCall): Failure {
  if (!isEngineError(error)) {
    if (isOfWrite(error)) return outputFailure(error);
    const message = error instanceof Error ? error.message : String(error);
    return { code: 'UNEXPECTED', message, detail: {}, advice: '', exit: exits.failed };
  }
  const { code, detail } = error;
  // What was looked for in vain is longer than a person reads.
  const message =
    code === 'IMPORT_FORMAT_UNKNOWN' ? error.message.split('; looked for ')[0]! : error.message;
  const said =
    code === 'STORE_NOT_FOUND' && ofFolders.has(call?.command ?? '')
      ? 'Is the path right? A store is a folder with files like MANIFEST-000004 in it.'
      : call?.command === 'run' && isEngineError(error, 'IMPORT_SOURCE_UNREADABLE')
        ? runAdvice(error.detail)
        : call?.command === 'config' && code === 'OPTION_INVALID'
          ? ''
          : adviceOn(error);
  const advice = said
    .replaceAll('{store}', call === undefined ? '' : storeArgument(call))
    .replaceAll('{folder}', call === undefined ? '' : storeArgument(call, ''));
  return { code, message, detail: { ...detail }, advice, exit: exitOf(code) };
}

/** Commands on the folder of a store: that there is none is no beginning. */
const ofFolders: ReadonlySet<string> = new Set(['compact', 'repair', 'restore', 'salvage']);

/** Whether the system took no more of what was written to a file. */
const isOfWrite = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && error.syscall === 'write' && 'path' in error;

/** The failure of an output stream, or of a file that is named by its `path` and is not left in parts. */
export function outputFailure(error: NodeJS.ErrnoException): Failure {
  const reason = error.message.replace(/^[A-Z]+: /, '').replace(/, write$/, '');
  const { path } = error;
  return {
    code: 'OUTPUT_FAILED',
    message: `${path === undefined ? 'The results' : `"${path}"`} cannot be written: ${reason}`,
    detail: { reason: error.code ?? '', ...(path !== undefined && { path }) },
    advice:
      path === undefined
        ? 'What is written so far is not all of it.'
        : 'Nothing of it is left. Make room on the disk, or name a file elsewhere: --out <file>',
    exit: exits.failed,
  };
}

const notFound: ReadonlySet<ErrorCode> = new Set([
  'CHECKPOINT_NOT_FOUND',
  'ENTRY_NOT_FOUND',
  'FRAME_NOT_FOUND',
  'MOMENT_NOT_FOUND',
  'REDO_EMPTY',
  'SESSION_NOT_FOUND',
  'SNAPSHOT_NOT_FOUND',
  'STORE_NOT_FOUND',
  'UNDO_EMPTY',
]);

function exitOf(code: ErrorCode): number {
  if (notFound.has(code)) return exits.nothing;
  if (code === 'WINDOW_TOO_SMALL' || code === 'OPTION_INVALID' || code === 'SESSION_ID_INVALID')
    return exits.usage;
  return exits.failed;
}

/** The words of the system where it takes no more bytes. */
const isFull = /no space left on device|disk quota exceeded/i;
const roomOnDiskAdvice =
  'Make room on the disk, then the same command again: what a session took in is kept.';

/** The words of the system where it lets nobody write, or not this user. */
const isLocked = /read-only file system|permission denied|operation not permitted/i;
const lockedAdvice =
  'You may not write there. Another folder: --store <folder>\nWhat only reads goes on, where you may read it: ls, show, search, log, export …\nA copy to write in: flamestack backup <new folder>{store}';

function adviceOn(error: EngineError): string {
  if ('needs' in error.detail && typeof error.detail.needs === 'number')
    return roomAdvice(error.detail.needs, error.detail.frames);
  if (error.code === 'STORE_UNAVAILABLE') return unavailableAdvice(error);
  const said = advice[error.code] ?? '';
  return typeof said === 'string' ? said : said(error.detail as never);
}

/** What to do where the system refuses a folder; a server says itself why it does. */
function unavailableAdvice({ message, detail }: EngineError): string {
  if (isFull.test(message)) return roomOnDiskAdvice;
  if (!isLocked.test(message) || 'reason' in detail) return '';
  return message.includes(', scandir ')
    ? 'You may not read there. Another folder: --store <folder>'
    : lockedAdvice;
}

/** How to get back what can be read of a store. */
function salvageAdvice(location: string | undefined): string {
  const store = location === undefined ? '' : ` ${quote(location)}`;
  const named = store === '' ? '' : ` --store${store}`;
  return `A backup into its place: flamestack restore <backup>${named} --aside <new folder>\nMend what can be: flamestack repair${named}\nOr what can be read of it: flamestack salvage${store} --to <new folder>`;
}

function overflowAdvice(cause: string | undefined): string {
  if (cause === undefined) return 'A larger --window would hold it.';
  return cause === 'undo'
    ? 'Further back: `flamestack snapshot ls{store}`; restoring one compresses what does not fit.'
    : 'A larger window would hold it: flamestack chat{store} --window <tokens>';
}

/** Advice on a window too small for a chat, which says whether there are frames, or for a system prompt. */
function roomAdvice(needs: number, frames: boolean | undefined): string {
  if (frames === undefined) return `The least that holds it is --window ${needs}.`;
  const larger = `The least that a chat needs is --window ${needs}.`;
  return frames ? `${larger}\nLess is needed without tools of the session: --no-frames` : larger;
}

function unreachableAdvice({ server, api }: ErrorDetails['MODEL_UNREACHABLE']): string {
  const isHere = /\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1?\])/.test(server);
  const isOurs = isHere && api === 'ollama';
  const start = isOurs ? 'Start it: `ollama serve`. ' : 'Is it up, and the address right? ';
  return `${start}Another server: --host <url>, or --openai <url>.`;
}

function missingAdvice(detail: ErrorDetails['MODEL_NOT_FOUND']): string {
  const { model, api, known: modelNames = [], declined = false } = detail;
  if (declined) return '';
  const near = nearModelName(modelNames, model);
  return [
    ...(near === undefined ? [] : [`Is ${near} meant? --model ${quote(near)}`]),
    ...(api === 'ollama' ? [`Get it: \`ollama pull ${model}\`.`] : []),
    ...(modelNames.length === 0 ? [] : [`There are: ${modelNames.join(', ')}.`]),
    ...(modelNames.length === 0 || near !== undefined
      ? []
      : [`Name one: --model ${quote(modelNames[0]!)}`]),
  ].join('\n');
}

/** Advice on a file that `run` cannot read: what is no path may be a session of the store. */
function runAdvice({ source, reason }: ErrorDetails['IMPORT_SOURCE_UNREADABLE']): string {
  if (reason !== 'does not exist') return unreadableAdvice(reason);
  if (/[/\\.]/.test(source))
    return 'Is the path right? Sessions of the store: flamestack ls{store}';
  return `It plays files; a session of the store: flamestack replay ${quote(source)}{store}`;
}

/** Advice on an unreadable file; none where the message has said it all. */
function unreadableAdvice(reason: string): string {
  if (reason === 'is a directory') return 'Name the files in it.';
  if (reason === 'is no regular file')
    return 'What a program writes is piped in: … | flamestack import -';
  if (reason.endsWith('piped in'))
    return 'Write it into a file, and import that: it takes any length.';
  if (reason === 'does not exist')
    return 'It takes the session file of an agent. Those of this machine: flamestack import --all';
  return reason === 'may not be read' ? '' : 'Is the path right, and may you read it?';
}

/** What else an id names, by its letter, and how that is looked at. */
const otherIds: Readonly<Record<string, readonly [what: string, look: string]>> = {
  c: ['a checkpoint', 'expand'],
  f: ['a frame', 'expand'],
  s: ['a snapshot', 'snapshot show'],
};

/** Advice on an id that is none of an entry, or of one that is not there. */
function entryAdvice({ entry, session }: ErrorDetails['ENTRY_NOT_FOUND']): string {
  const form = 'An entry is called e and a number, as e12';
  const [letter = '', ...digits] = entry;
  const other = /^\d{1,12}$/.test(digits.join('')) ? otherIds[letter.toLowerCase()] : undefined;
  const named = session === undefined ? '' : ` --session ${quote(session)}`;
  if (other !== undefined)
    return `${form}; ${entry} is ${other[0]}: flamestack ${other[1]} ${entry}${named}{store}`;
  if (/^e?\d{1,12}$/i.test(entry)) return '';
  return `${form}: flamestack log${sessionArgument(session)}{store}`;
}

/** A session of an error as an argument of a command; empty where it names none. */
const sessionArgument = (session: string | undefined): string =>
  session === undefined ? '' : ` ${quote(session)}`;

const furtherBack = (session: string): string =>
  `An older state: flamestack snapshot ls --session ${quote(session)}{store}`;

const damagedAdvice =
  'What is lost: flamestack verify{store}. A store without it: flamestack salvage{folder} --to <new folder>';

/** What to do about an error, by its code. */
const advice: {
  readonly [Code in ErrorCode]?: string | ((detail: ErrorDetails[Code]) => string);
} = {
  CHECKPOINT_NOT_FOUND: ({ session }) =>
    session === undefined ? '' : `What its prompt holds: flamestack show ${quote(session)}{store}`,
  CONTEXT_OVERFLOW: ({ cause }) => overflowAdvice(cause),
  DOCUMENTS_OFF:
    'No documents are written unless you name a folder: --documents memory, or FLAMESTACK_DOCUMENTS=memory',
  DOCUMENT_UNTRUSTED:
    'Look at it in a terminal (`flamestack recover`), or read the file; to take it in unseen: --yes',
  ENTRY_NOT_FOUND: entryAdvice,
  FRAME_CHILDREN_LEFT: ({ children }) => {
    const id = children[0]?.id ?? '<frame>';
    return `/start ${id} does it, /drop ${id} gives it up, /pop drop gives up all of them.`;
  },
  FRAME_NOT_FOUND: ({ session }) =>
    `\`flamestack frames${sessionArgument(session)}{store}\` lists them.`,
  IMPORT_DIVERGED: 'Take it in as a session of its own: --id <id>',
  IMPORT_EMPTY: ({ skipped }) =>
    skipped === undefined
      ? 'Is it the right file? Those of this machine: flamestack import --all{store}'
      : `${many(skipped, 'line')} skipped. Is it of another format? --format <name>`,
  IMPORT_FORMAT_UNKNOWN: ({ formats }) =>
    `Formats: ${formats.join(', ')}.\nIf it is one of them, name it: --format <name>`,
  IMPORT_MISMATCH: ({ session }) =>
    `Take it in as a session of its own: --id <new id>. What stands there: flamestack show ${quote(session)}{store}`,
  IMPORT_SOURCE_UNREADABLE: ({ reason }) => unreadableAdvice(reason),
  MODEL_BUSY: ({ retryAfter }) =>
    retryAfter === undefined
      ? 'It has too much to do; try again in a moment.'
      : `It has too much to do; it asks to be tried again in ${Math.ceil(retryAfter / 1_000)} s.`,
  MODEL_FAILED: ({ server, status }) =>
    status === 404
      ? `Is ${server} the address of a model server? Others: --host <url>, --openai <url>.`
      : '',
  MODEL_NOT_FOUND: missingAdvice,
  MODEL_OVERFLOW: 'A smaller --window leaves the server more room.',
  MODEL_REFUSED: 'Set the key: FLAMESTACK_API_KEY or OPENAI_API_KEY.',
  MODEL_UNREACHABLE: unreachableAdvice,
  MOMENT_NOT_FOUND: ({ session }) =>
    `\`flamestack log${sessionArgument(session)}{store}\` lists the entries, \`flamestack ls{store}\` counts the turns of each session.`,
  OPTION_INVALID: ({ option, target, owner }) => {
    if (owner !== undefined) return ownerAdvice[option] ?? '';
    return (target === undefined ? optionAdvice : linkAdvice)[option] ?? '';
  },
  RECORD_DAMAGED: damagedAdvice,
  RECOVERY_EMPTY:
    'Say where they are: --from <folder or file>. Or take in its session file: flamestack import <file>{store}',
  REDO_EMPTY: ({ session }) =>
    `Take one back first: flamestack undo ${quote(session)}{store}\n${furtherBack(session)}`,
  SEQUENCE_GAP: damagedAdvice,
  SESSION_COMPLETED: '`flamestack chat --new{store}` begins another one.',
  SESSION_NOT_FOUND: '`flamestack ls{store}` lists what is there.',
  SNAPSHOT_NOT_FOUND: ({ session }) =>
    `\`flamestack snapshot ls --all${session === undefined ? '' : ` --session ${quote(session)}`}{store}\` lists them.`,
  STORE_DAMAGED: ({ location }) => salvageAdvice(location),
  STORE_IN_USE: ({ pid }) => {
    const other =
      pid === undefined
        ? 'Another process has it open. Another folder: --store <folder>'
        : `Wait until process ${pid} ends, or name another folder with --store.`;
    return `${other}\nReading goes on: ls, show, search, log, export …`;
  },
  STORE_NOT_FOUND:
    'Name the folder with --store, or make one: flamestack import <your session file>{store}',
  STORE_TOO_NEW: 'A newer version of flamestack wrote it; update this one.',
  SYSTEM_TOO_LARGE: 'A larger --window would hold it.',
  UNDO_EMPTY: ({ session }) => furtherBack(session),
  WINDOW_TOO_SMALL: 'Try --window 8k.',
};

/** Advice on a place of a project that is another user's. */
const ownerAdvice: Readonly<Record<string, string>> = {
  store:
    'Whoever it is reads what is kept there. If you want that, name the store: --store <folder>',
  documents:
    'Whoever it is reads what is written there. If you want that, name the folder by its whole path: --documents <folder>',
};

/** Advice on a place of a project that leads out of it. */
const linkAdvice: Readonly<Record<string, string>> = {
  store: 'A repository may bring such a link. If it is yours, name the store: --store <folder>',
  documents:
    'A repository may bring such a link. If it is yours, name the folder by its whole path: --documents <folder>',
};

const optionAdvice: Readonly<Record<string, string>> = {
  aside: 'Name it: --aside <new folder>',
  location: 'Name the folder of a store: --store <folder>',
  model: 'Name one with --model, or in FLAMESTACK_MODEL.',
  force: 'Another name leaves it as it is: --out <file>. To replace it: --force',
  out: 'Name a file in a folder that is there: --out <file>. Or pass it on to a program: flamestack … | less',
};
