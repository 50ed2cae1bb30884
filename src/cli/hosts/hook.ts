import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Io } from '../io.ts';
import { allPiped } from '../call/piped.ts';
import { readHookEvent, type HookEvent } from './hook-event.ts';
import { projectStore } from '../../adapters/project-store.ts';

// An agent waits for its hook, at every turn. So nothing is loaded here but what the event asks for: the store
// is opened by a process of its own, which the agent does not wait for, unless there is something to hand back.

/** Events after which there is something new to take in. */
const telling: ReadonlySet<string> = new Set([
  'PreCompact',
  'PostCompact',
  'SessionEnd',
  'Stop',
  'SubagentStop',
  'UserPromptSubmit',
]);

/** Most bytes of an event: a prompt, or the output of a tool, stands in some. */
const longestEvent = 2 ** 26;

/** How long a process of its own waits for a store that another has, in milliseconds: longer than most imports take. */
const patience = 20_000;

/**
 * Answers one event of an agent, or, with the agent's session file and a store, takes that in. Never fails: whatever
 * goes wrong is said on stderr, and the agent goes on. Outside of a project with a store nothing is done at all.
 */
export async function hook(
  words: readonly string[],
  io: Io,
  waits: number = patience,
): Promise<number> {
  const [host = '', transcript, store] = words;
  try {
    if (transcript !== undefined && store !== undefined) {
      const { takeInto } = await import('./take-in.ts');
      await takeInto(store, transcript, waits);
    } else {
      const input = await allPiped(io, longestEvent);
      const event = input === null ? null : readHookEvent(input.toString('utf8'));
      if (event === null) io.stderr.write('flamestack: what came is no event of an agent\n');
      else await answer(event, host, io);
    }
  } catch (error) {
    io.stderr.write(`flamestack: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return 0;
}

async function answer(event: HookEvent, host: string, io: Io): Promise<void> {
  const store = io.env['FLAMESTACK_STORE'] || projectStore(event.folder);
  if (store === null || !isFile(event.transcript)) return;
  if (event.name === 'SessionStart' && event.source === 'compact') {
    const { handedBack } = await import('./handed-back.ts');
    const text = await handedBack(event, store);
    if (text !== '') io.stdout.write(`${JSON.stringify(contextOf(event, text))}\n`);
  } else if (telling.has(event.name)) {
    takeInApart(event, host, store);
    if (event.name === 'PreCompact' && host === 'claude-code') io.stdout.write(steering);
  }
}

/** Whether a path leads to a file that has an end; a pipe would be waited for. */
const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The answer by which an agent puts a text into its context. */
const contextOf = ({ name }: HookEvent, text: string) => ({
  hookSpecificOutput: { hookEventName: name, additionalContext: text },
});

/** Takes what is new in by a process of its own. */
function takeInApart({ transcript }: HookEvent, host: string, store: string): void {
  const [program = ''] = process.argv.slice(1);
  const words = [program, 'hook', host, transcript, store];
  spawn(process.execPath, words, { detached: true, stdio: 'ignore' }).unref();
}

/** What a summary is for where the whole session is kept beside it. */
const steering = `Every message of this session is kept word for word outside of it, and what people said, what was changed and what failed is handed back after this summary. So spend its words on what only you know now: what is being worked on at this moment and why, what was tried and did not work, what was found out, decisions with their reasons, exact values that the next step needs (paths, names, numbers, commands), and the very next step. Keep what the person asked for and forbade in their own words.
`;
