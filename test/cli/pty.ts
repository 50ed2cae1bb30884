import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

// A pseudo-terminal by `script`, which every Linux has: what a person types goes in,
// what the screen shows comes out.

/** Whether this machine can make a pseudo-terminal. */
export const hasPty: boolean = spawnSync('script', ['--version']).status === 0;

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The program, once {@link build} made it. */
export const program: string = `${root}dist/main.js`;

let isBuilt = false;

/** Builds the program unless it is built; throws where it does not build. */
export function build(): void {
  if (isBuilt) return;
  const made = spawnSync(process.execPath, [`${root}scripts/build.mjs`], { encoding: 'utf8' });
  if (made.status !== 0)
    throw new Error(`The program does not build:\n${made.stdout}${made.stderr}`);
  isBuilt = true;
}

/** Runs the program with its results going to a file of this machine, such as `/dev/full`. */
export function writing(to: string, words: readonly string[]): SpawnSyncReturns<string> {
  const out = openSync(to, 'w');
  try {
    const stdio = ['ignore', out, 'pipe'] as const;
    return spawnSync(process.execPath, [program, ...words], {
      cwd: root,
      encoding: 'utf8',
      stdio: [...stdio],
    });
  } finally {
    closeSync(out);
  }
}

/** The program at a terminal of 80 columns and 24 rows. */
export interface Terminal {
  /** All that was shown so far, without control sequences. */
  readonly text: string;
  /** The same with them. */
  readonly sent: string;
  /** Types a line and sends it. */
  type(line: string): void;
  /** Sends a key: `\x03` for Ctrl-C, `\x04` for Ctrl-D. */
  press(key: string): void;
  /**
   * Resolves with what was shown since the last wait, as soon as it holds `sign`; rejects with
   * it when the program ends before, and after 50 seconds.
   */
  until(sign: string | RegExp): Promise<string>;
  /** Gives the terminal another size. */
  resize(columns: number, rows: number): void;
  /** Sends the program a signal; unless told, ends it at once, as a power cut would. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

/** Starts `flamestack` with these words in a pseudo-terminal. */
export function terminal(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Terminal {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  return shell(`exec '${process.execPath}' '${program}' ${quoted}`, env);
}

/** Runs a line of a shell in a pseudo-terminal. */
export function shell(line: string, env: Readonly<Record<string, string>> = {}): Terminal {
  const command = `stty cols 80 rows 24; echo "process $$ at $(tty)"; ${line}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: root,
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '1', ...env },
  });
  let shown = '';
  let from = 0;
  let over = false;
  const watchers = new Set<() => void>();
  const look = (): void => watchers.forEach((watcher) => watcher());
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    shown += chunk;
    look();
  });
  const ended = new Promise<number | null>((resolve) =>
    child.on('close', (code) => {
      over = true;
      resolve(code);
      look();
    }),
  );
  const plain = (text: string): string => stripVTControlCharacters(text).replaceAll('\r', '');
  return {
    get text() {
      return plain(shown);
    },
    get sent() {
      return shown;
    },
    resize(columns, rows) {
      const [, tty = ''] = / at (\S+)/.exec(shown) ?? [];
      spawnSync('stty', ['-F', tty, 'cols', String(columns), 'rows', String(rows)]);
    },
    type: (line) => void child.stdin.write(`${line}\r`),
    press: (key) => void child.stdin.write(key),
    until: (sign) =>
      new Promise((resolve, reject) => {
        const text = (): string => plain(shown.slice(from));
        const end = (): void => {
          clearTimeout(limit);
          watchers.delete(watcher);
        };
        const fail = (how: string): void => {
          end();
          reject(new Error(`The program ${how} and never showed "${sign}":\n${text()}`));
        };
        const watcher = (): void => {
          const now = text();
          if (typeof sign === 'string' ? now.includes(sign) : sign.test(now)) {
            end();
            from = shown.length;
            resolve(now);
          } else if (over) fail('ended');
        };
        const limit = setTimeout(() => fail('went on for 50 seconds'), 50_000);
        watchers.add(watcher);
        watcher();
      }),
    async kill(signal = 'SIGKILL') {
      const pid = Number(/process (\d+)/.exec(shown)?.[1]);
      process.kill(pid, signal);
      await ended;
    },
    ended,
  };
}
