import { isEngineError, type ErrorCode } from '../../names.ts';
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
  usage: 'the command line makes no sense, or a value in it; nothing was done',
  nothing: 'there is no such store, session, entry or moment; nothing was found',
  check: 'what was checked is not as it should be: verify, doctor, test and others',
  interrupted: 'Ctrl-C; another signal ends with 128 and its number (143: SIGTERM)',
};

type ErrorDetail = Readonly<Record<string, unknown>>;

/** A failure, for a person and for a script. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly detail: ErrorDetail;
  /** Advice; empty for none. */
  readonly advice: string;
  readonly exit: number;
}

/** The failure of an error; commands that it advises name the store of the call. */
export function toFailure(error: unknown, call?: CommandCall): Failure {
  if (!isEngineError(error)) {
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
      : adviceOn(code, detail);
  const advice = said
    .replaceAll('{store}', call === undefined ? '' : storeArgument(call))
    .replaceAll('{folder}', call === undefined ? '' : storeArgument(call, ''));
  return { code, message, detail, advice, exit: exitOf(code) };
}

/** Commands on the folder of a store: that there is none is no beginning. */
const ofFolders: ReadonlySet<string> = new Set(['compact', 'repair', 'restore', 'salvage']);

/** The failure of an output stream. */
export function outputFailure(error: NodeJS.ErrnoException): Failure {
  const reason = error.message.replace(/^[A-Z]+: /, '').replace(/, write$/, '');
  return {
    code: 'OUTPUT_FAILED',
    message: `The results cannot be written: ${reason}`,
    detail: { reason: error.code ?? '' },
    advice: 'What is written so far is not all of it.',
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

function adviceOn(code: ErrorCode, detail: ErrorDetail): string {
  if (code === 'STORE_IN_USE') {
    const { pid } = detail;
    const other =
      typeof pid === 'number'
        ? `Wait until process ${pid} ends, or name another folder with --store.`
        : 'Another process has it open. Another folder: --store <folder>';
    return `${other}\nReading goes on: ls, show, search, log, export …`;
  }
  if (code === 'STORE_DAMAGED') return salvageAdvice(detail['location']);
  if (code === 'IMPORT_FORMAT_UNKNOWN' && Array.isArray(detail['formats']))
    return `Formats: ${detail['formats'].join(', ')}.\nIf it is one of them, name it: --format <name>`;
  if (code === 'IMPORT_EMPTY' && typeof detail['skipped'] === 'number')
    return `${many(detail['skipped'], 'line')} skipped. Is it of another format? --format <name>`;
  if (code === 'IMPORT_SOURCE_UNREADABLE') return unreadableAdvice(detail['reason']);
  if (code === 'MODEL_BUSY' && typeof detail['retryAfter'] === 'number')
    return `It has too much to do; it asks to be tried again in ${Math.ceil(detail['retryAfter'] / 1_000)} s.`;
  if (code === 'FRAME_CHILDREN_LEFT') return childrenAdvice(detail['children']);
  if (code === 'MODEL_UNREACHABLE') return unreachableAdvice(detail);
  if (code === 'MODEL_NOT_FOUND' && detail['declined'] === true) return '';
  if (code === 'MODEL_NOT_FOUND') return missingAdvice(detail);
  if (code === 'OPTION_INVALID' && detail['option'] === 'aside')
    return 'Name it: --aside <new folder>';
  if (code === 'OPTION_INVALID' && detail['option'] === 'model')
    return 'Name one with --model, or in FLAMESTACK_MODEL.';
  if (code === 'CONTEXT_OVERFLOW' && detail['cause'] === 'undo')
    return 'Further back: `flamestack snapshot ls{store}`; restoring one compresses what does not fit.';
  if (code === 'CONTEXT_OVERFLOW' && typeof detail['cause'] === 'string')
    return 'A larger window would hold it: flamestack chat{store} --window <tokens>';
  if (typeof detail['needs'] === 'number') return roomAdvice(detail['needs'], detail['frames']);
  if (code === 'MODEL_FAILED' && detail['status'] === 404)
    return `Is ${String(detail['server'])} the address of a model server? Others: --host <url>, --openai <url>.`;
  return advice[code] ?? '';
}

/** How to get back what can be read of a store. */
function salvageAdvice(location: unknown): string {
  const store = typeof location === 'string' ? ` ${quote(location)}` : '';
  const named = store === '' ? '' : ` --store${store}`;
  return `A backup into its place: flamestack restore <backup>${named} --aside <new folder>\nMend what can be: flamestack repair${named}\nOr what can be read of it: flamestack salvage${store} --to <new folder>`;
}

/** How a frame is left whose children are not closed, as it is typed in a chat. */
function childrenAdvice(children: unknown): string {
  const [first] = Array.isArray(children) ? (children as readonly { readonly id: string }[]) : [];
  const id = first?.id ?? '<frame>';
  return `/start ${id} does it, /drop ${id} gives it up, /pop drop gives up all of them.`;
}

/** Advice on a window too small for a chat. */
function roomAdvice(needs: number, frames: unknown): string {
  const larger = `The least that a chat needs is --window ${needs}.`;
  return frames === true
    ? `${larger}\nLess is needed without tools of the session: --no-frames`
    : larger;
}

function unreachableAdvice({ server, api }: ErrorDetail): string {
  const isHere = /\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1?\])/.test(String(server));
  const isOurs = isHere && api === 'ollama';
  const start = isOurs ? 'Start it: `ollama serve`. ' : 'Is it up, and the address right? ';
  return `${start}Another server: --host <url>, or --openai <url>.`;
}

function missingAdvice({ model, api, known }: ErrorDetail): string {
  const names = Array.isArray(known) ? known.filter((name) => typeof name === 'string') : [];
  return [
    ...(api === 'ollama' ? [`Get it: \`ollama pull ${String(model)}\`.`] : []),
    ...(names.length === 0 ? [] : [`There are: ${names.join(', ')}.`]),
  ].join('\n');
}

/** Advice on an unreadable file; none where the message has said it all. */
function unreadableAdvice(reason: unknown): string {
  if (reason === 'is a directory') return 'Name the files in it.';
  const isClear = reason === 'does not exist' || reason === 'may not be read';
  return isClear ? '' : 'Is the path right, and may you read it?';
}

const damagedAdvice =
  'What is lost: flamestack verify{store}. A store without it: flamestack salvage{folder} --to <new folder>';

const advice: Readonly<Partial<Record<ErrorCode, string>>> = {
  CONTEXT_OVERFLOW: 'A larger --window would hold it.',
  DOCUMENT_UNTRUSTED:
    'Look at it in a terminal (`flamestack recover`), or read the file; to take it in unseen: --yes',
  FRAME_NOT_FOUND: '`flamestack frames{store}` lists them.',
  MOMENT_NOT_FOUND: '`flamestack ls{store}` lists the turns of each session.',
  SNAPSHOT_NOT_FOUND: '`flamestack snapshot ls --all{store}` lists them.',
  IMPORT_DIVERGED: 'Take it in as a session of its own: --id <id>',
  MODEL_BUSY: 'It has too much to do; try again in a moment.',
  MODEL_OVERFLOW: 'A smaller --window leaves the server more room.',
  MODEL_REFUSED: 'Set the key: FLAMESTACK_API_KEY or OPENAI_API_KEY.',
  RECOVERY_EMPTY:
    'Say where they are: --from <folder or file>. Or take in its session file: flamestack import <file>{store}',
  RECORD_DAMAGED: damagedAdvice,
  SEQUENCE_GAP: damagedAdvice,
  SESSION_COMPLETED: '`flamestack chat --new{store}` begins another one.',
  SESSION_NOT_FOUND: '`flamestack ls{store}` lists what is there.',
  STORE_NOT_FOUND:
    'Name the folder with --store, or make one: flamestack import <your session file>{store}',
  STORE_TOO_NEW: 'A newer version of flamestack wrote it; update this one.',
  SYSTEM_TOO_LARGE: 'A larger --window would hold it.',
  WINDOW_TOO_SMALL: 'Try --window 8k.',
};
