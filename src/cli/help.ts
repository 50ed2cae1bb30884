import { exitMeanings, exits } from './call/exit.ts';

/** The topic of `help` that lists the exit codes. */
export const exitTopic = 'exit-codes';

/** What the exit codes say, in a table. */
export function exitHelp(): string {
  const rows = (Object.keys(exits) as (keyof typeof exits)[]).map(
    (name) => `  ${String(exits[name]).padEnd(4)} ${exitMeanings[name]}\n`,
  );
  return `Exit codes (every command)\n${rows.join('')}
With --json a failure is a document on stderr, which has the code as "exit".
`;
}

/** The help of the program as a whole: verbs by intent, three examples, and the promise. */
export const help = (
  version: string,
): string => `flamestack ${version} – a long agent session in a fixed window, and nothing lost

Usage: flamestack <command> [options]

Talk
  chat [session]      with a model of yours, in a session that goes on for ever
  doctor              check server, model, window and store; what to fix
  install, uninstall, mcp, hook   beside Claude Code, Codex, Cursor, others
  config, completion, man, version   what is used unless told; the Tab key
Try
  run <file>, replay  play a session file through a window; a stored one again
  test <files...>     run scripts of sessions, and check what they expect
Keep
  import <file...>    take session files into the store; again, only what is new
  checkpoint, recover [session]   write where it stands; tell the model of it
  export [session]    a page, report, flame graph, trace; lines to import
  snapshot, undo, redo, redact   go back; take one entry's text out for good
  rm, backup, restore, verify, repair, salvage, compact   a store as a whole
Look
  ls                  the sessions of the store, the latest first
  show [session]      what the model sees now, section by section; frames
  open, browse, view [session]   each moment and its losses: here; in a browser
  frames, log, watch, diff   the tree; entries; what comes; two moments
  search, trace, expand   words; where a sentence comes from; what c2 stands for
  breadcrumbs, inspect, machine   what left; the moves of state machines; drawn

Options (of most commands; \`<command> --help\` has each one's)
  --store <folder>    where sessions are kept (FLAMESTACK_STORE, or .flamestack)
  --json              the result as JSON on stdout
  -q, --quiet         results only;  -h, --help;  -V, --version
  --no-color, --ascii, --no-pager   NO_COLOR=1 too; plain characters; at once

A session is an id, its beginning, words of its title, or @2; else the latest.

Examples
  flamestack run examples/notes-app.jsonl --window 8k   watch one
  flamestack import ~/.claude/projects/*/*.jsonl        keep your own

\`flamestack <command> --help\` has more; \`flamestack help exit-codes\`.
But for the model server that you name, nothing leaves this machine.
`;
