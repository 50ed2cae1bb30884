import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { ownPlace } from '../../adapters/project-store.ts';
import { EngineError, hasPassword, postgresAddress } from '../../names.ts';
import type { Io } from '../io.ts';
import { toJson } from '../paper/clean.ts';
import { flow } from '../paper/flow.ts';
import { paperOf, type Looks, type Paper } from '../paper/paper.ts';
import { pagedOutput, pagerCommand } from './paged-output.ts';

/** Options that every command takes. */
export interface CommonOptions extends Looks {
  readonly store?: string | undefined;
  /** A folder for checkpoint documents, or `off`; undefined for a command that writes none. */
  readonly documents?: string | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  /** False for none; undefined for a command that never has one. */
  readonly pager?: boolean | undefined;
}

/** One call of a command, and its output. */
export interface CommandCall {
  readonly io: Io;
  /** The name of the command. */
  readonly command: string;
  readonly json: boolean;
  readonly quiet: boolean;
  /** The value of `--store`. */
  readonly store: string | undefined;
  /** The value of `--documents`. */
  readonly documents: string | undefined;
  /** The paper of stdout, as wide as it is now. */
  readonly paper: () => Paper;
  /** The paper of stderr. */
  readonly margin: () => Paper;
  /** Results, to stdout, each on a line. */
  print(...lines: readonly string[]): void;
  /** A document or event, to stdout, on one line. */
  emit(schema: string, value: object): void;
  /** What is worth knowing but no result, to stderr; not with `--quiet` or `--json`. */
  note(...lines: readonly string[]): void;
  /** Resolves when all that was printed is shown. */
  whenShown(): Promise<void>;
}

/** Given to each command when it is added: makes its calls, and takes its exit code. */
export interface CommandSetup {
  readonly call: (options: CommonOptions) => CommandCall;
  readonly settle: (code: number) => void;
}

/** The call of a command with these options. */
export function callOf(io: Io, command: string, options: CommonOptions): CommandCall {
  const { json = false, quiet = false, store, documents, color, ascii } = options;
  const looks = { color: json ? false : color, ascii };
  const { stdout, stderr, env } = io;
  const pager =
    options.pager === true && !json && io.startPager !== undefined ? pagerCommand(env) : null;
  const isScreen = stdout.isTTY === true && env['TERM'] !== 'dumb' && (stdout.rows ?? 0) > 0;
  const paged =
    pager !== null && isScreen
      ? pagedOutput(io, pager, { rows: stdout.rows!, columns: stdout.columns || 80 })
      : null;
  const put = (text: string): unknown => (paged === null ? stdout.write(text) : paged.print(text));
  const aside = (text: string): unknown => (paged === null ? stderr.write(text) : paged.note(text));
  return {
    io,
    command,
    json,
    quiet,
    store,
    documents,
    paper: () => paperOf(io.stdout, io.env, looks),
    margin: () => paperOf(io.stderr, io.env, looks),
    print(...lines) {
      if (lines.length > 0) put(`${lines.join('\n')}\n`);
    },
    emit: (schema, value) => void io.stdout.write(`${toJson({ schema, ...value })}\n`),
    note(...lines) {
      if (quiet || json || lines.length === 0) return;
      const noteLines = lines
        .flatMap((line) => line.split('\n'))
        .flatMap((line) => flow(line, stderr));
      aside(`${noteLines.join('\n')}\n`);
    },
    whenShown: () => paged?.close() ?? Promise.resolve(),
  };
}

/**
 * The folder of the store, or its address: told, or of the surroundings, or in the current folder. Throws
 * `OPTION_INVALID` for an address with a password, for what is neither, and for one of the current folder that leads out of it.
 */
export function storeFolder(call: CommandCall): string {
  const store = namedStore(call) ?? ownPlace('.flamestack', 'store');
  const address = postgresAddress(store);
  if (address === null || !hasPassword(address)) return address ?? store;
  throw new EngineError('OPTION_INVALID', 'An address takes no password; put it into PGPASSWORD', {
    detail: { option: 'store' },
  });
}

/** The store that a person names; undefined where they leave it to the current folder. */
const namedStore = ({ store, io }: CommandCall): string | undefined =>
  store ?? (io.env['FLAMESTACK_STORE'] || undefined);

/** Whether a store is named by its address and not by a folder. */
export const isAddress = (store: string): boolean => postgresAddress(store) !== null;

/**
 * The folder that a person wants checkpoint documents in: that of the option, or else of the surroundings; false where none is named, or they
 * say `off`. Throws `OPTION_INVALID` for a relative one that leads out by a link, as a clone may bring one: by its whole path it is meant.
 */
export function documentsFolder(call: CommandCall): string | false {
  const folder = toldDocuments(call);
  if (folder === undefined || folder === 'off') return false;
  return isAbsolute(folder) ? folder : ownPlace(folder, 'documents');
}

/**
 * Where checkpoint documents of before are looked for: the folder that is named, or `memory` beside the store or, for an address, in the
 * current folder; false where `off` is said. Throws `OPTION_INVALID` where nobody names either, and it leads out of the current folder.
 */
export function documentsPlace(call: CommandCall): string | false {
  if (toldDocuments(call) !== undefined) return documentsFolder(call);
  if (namedStore(call) === undefined) return ownPlace('memory', 'documents');
  const store = storeFolder(call);
  return join(isAddress(store) ? '.' : dirname(store), 'memory');
}

const toldDocuments = ({ documents, io }: CommandCall): string | undefined =>
  documents ?? (io.env['FLAMESTACK_DOCUMENTS'] || undefined);

/**
 * Whether the folder of documents can be told to be that of this store, and not of another that lies beside it, as a backup does: the
 * surroundings name it and no store is named here, or it is beside a `.flamestack`.
 */
export function hasOwnDocuments(call: CommandCall): boolean {
  if (call.io.env['FLAMESTACK_DOCUMENTS']) return call.store === undefined;
  return basename(resolve(storeFolder(call))) === '.flamestack';
}

/** The part of a command line that names the store, for commands to type; `flag` is '' for those that take it as a word. */
export function storeArgument(call: CommandCall, flag = '--store '): string {
  const named = namedStore(call);
  return named ? ` ${flag}${quote(named)}` : '';
}

/** A word as a shell takes it. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
