import { StringDecoder } from 'node:string_decoder';
import { storeArgument, storeFolder, quote, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { reportFailure } from '../call/report.ts';
import { cleanLine } from '../paper/clean.ts';
import { chooseSession } from '../sessions/choose-session.ts';
import { latestFirst } from '../sessions/pick.ts';
import { readStore } from '../sessions/with-session.ts';
import { beginBrowsing, stepAt, type Browsing } from './browsing.ts';
import { frameOf } from './frame.ts';
import { fullScreen } from './full-screen.ts';
import { decodeKeys, keysOfRest } from './keys/decode-keys.ts';
import { press } from './keys/press.ts';
import { supplier } from './supplier.ts';

/** How long the rest of a key is waited for, in milliseconds. */
const keyRest = 50;

/** Shows the sessions of a store, or one of them, by keyboard; gives the exit code. */
export async function browse(said: string | undefined, call: CommandCall): Promise<number> {
  const { io } = call;
  const { stdin, stdout, signal } = io;
  if (call.json || stdin.isTTY !== true || !call.paper().isLive) return noTerminal(call);
  const sessions = await readStore(call, latestFirst);
  const id = said === undefined ? null : (await chooseSession(sessions, said, call)).id;
  const size = () => ({
    columns: stdout.columns || 80,
    rows: stdout.rows || 24,
    paper: call.paper(),
  });
  const place = storeFolder(call);
  let browsing = beginBrowsing({ ...size(), place }, { sessions, id });
  const screen = fullScreen(io, () => frameOf(browsing));
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));

  const change = (next: (browsing: Browsing) => Browsing): void => {
    const before = browsing;
    browsing = next(browsing);
    if (browsing === before) return;
    if (browsing.ended !== null) return end();
    supply.need(browsing);
    screen.draw();
  };
  const supply = supplier(call, change);
  const hear = keysOn((key) => {
    if (key === 'suspend') screen.suspend();
    else if (key === 'redraw') screen.redraw();
    else change((before) => press(before, key));
  });
  const resize = (): void => {
    change((before) => ({ ...before, ...size() }));
    screen.redraw();
  };

  try {
    stdin.on('data', hear);
    stdin.on('end', end);
    stdin.resume();
    stdout.on?.('resize', resize);
    signal.addEventListener('abort', end);
    supply.need(browsing);
    screen.draw();
    if (!signal.aborted) await ended;
  } finally {
    stdin.off('data', hear);
    stdin.off('end', end);
    stdin.pause();
    signal.removeEventListener('abort', end);
    screen.close();
    await supply.close();
  }
  signal.throwIfAborted();
  call.note(...receipt(browsing, call));
  return browsing.ended === 'interrupted' ? exits.interrupted : exits.done;
}

/** Refuses to draw where nobody could press a key. */
function noTerminal(call: CommandCall): number {
  const exit = exits.usage;
  const message = 'browse draws on a terminal and reads its keys, and this is none';
  const advice = `In a pipe: flamestack ls${storeArgument(call)} --json, flamestack show${storeArgument(call)} --json`;
  reportFailure({ code: 'TERMINAL_MISSING', message, detail: {}, advice, exit }, call);
  return exit;
}

/** Hears what a terminal sends, and calls `onKey` with each key. */
function keysOn(onKey: (key: string) => void): (chunk: string | Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let timer: NodeJS.Timeout | undefined;
  return (chunk) => {
    clearTimeout(timer);
    const decoded = decodeKeys(rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk)));
    rest = decoded.rest;
    decoded.keys.forEach(onKey);
    if (rest === '') return;
    timer = setTimeout(() => {
      const keys = keysOfRest(rest);
      if (keys.length > 0) rest = '';
      keys.forEach(onKey);
    }, keyRest);
  };
}

/** The command that shows what was looked at last. */
function receipt({ open }: Browsing, call: CommandCall): readonly string[] {
  const step = open === null ? null : stepAt(open);
  if (open === null || step === null) return [];
  const at = open.follows ? '' : ` --at seq:${step.seq}`;
  return [`flamestack show ${quote(cleanLine(open.id))}${at}${storeArgument(call)}`];
}
