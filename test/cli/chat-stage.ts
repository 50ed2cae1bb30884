import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PassThrough, Readable } from 'node:stream';
import {
  startOllamaServer,
  type OllamaServer,
  type OllamaServerOptions,
} from '../../src/testing/ollama-server.ts';
import { main } from '../../src/cli/program.ts';
import { flamestack, folder, type Told } from './call.ts';

/** A scripted server with one small model, that is gone after the test. */
export async function serverWith(options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const server = await startOllamaServer({ models: { tiny: {} }, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** A store, and a server whose chats go to it. */
export interface Stage {
  readonly server: OllamaServer;
  readonly store: string;
  /** Pipes lines into `flamestack chat`. */
  pipe(words: string, lines: string): Promise<Told>;
  /** Sits at a terminal of it. */
  sit(words: string): Seat;
}

/** Somebody at a terminal. */
export interface Seat {
  /** Everything on the screen so far, with its escape sequences. */
  readonly out: () => string;
  type(keys: string): void;
  /** Resolves when the screen has this after what was there at the last call. */
  until(text: string): Promise<void>;
  readonly exit: Promise<number>;
}

/** A place to chat at, with more variables if need be. */
export async function stage(
  options: OllamaServerOptions = {},
  more: Record<string, string> = {},
): Promise<Stage> {
  const server = await serverWith(options);
  const store = join(await folder(), 'store');
  const env = { OLLAMA_HOST: server.url, ...more };
  return {
    server,
    store,
    pipe: (words, lines) =>
      flamestack(`chat --store ${store} ${words}`, { stdin: Readable.from([lines]), env }),
    sit: (words) => seat(['chat', '--store', store, ...words.split(' ').filter(Boolean)], env),
  };
}

/** How long something is waited for that never comes, in milliseconds. */
const patience = 20_000;

function seat(words: readonly string[], env: Record<string, string>): Seat {
  let out = '';
  let seen = 0;
  let wake = (): void => undefined;
  const write = (text: string): void => {
    out += text;
    wake();
  };
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const screen = { isTTY: true, columns: 80, rows: 24, write };
  const exit = main(words, {
    stdin,
    stdout: screen,
    stderr: screen,
    env: { ...env, NO_COLOR: '1' },
    signal: new AbortController().signal,
  });
  const end = (): void => void stdin.end();
  onTestFinished(async () => {
    end();
    await exit;
  });
  const until = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const at = out.indexOf(text, seen);
        if (at < 0) return;
        seen = at + text.length;
        wake = () => undefined;
        resolve();
      };
      void exit.then((code) =>
        reject(new Error(`It left with ${code} before "${text}":\n${out.slice(seen)}`)),
      );
      wake = look;
      look();
      const late = setTimeout(
        () => reject(new Error(`No "${text}" came:\n${out.slice(seen)}`)),
        patience,
      );
      late.unref();
    });
  return { out: () => out, type: (keys) => void stdin.write(keys), until, exit };
}
