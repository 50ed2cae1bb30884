/** The help of the program as a whole: verbs by intent, three examples, and the promise. */
export const help = (
  version: string,
): string => `flamestack ${version} – a long agent session in a fixed window, and nothing lost

Usage: flamestack <command> [options]

Talk
  chat [session]      with a model of yours, in a session that goes on for ever
  doctor              check server, model, window and store; what to fix
Try
  run <file>          play a session file through a window, and watch
Keep
  import <file...>    take session files into the store; again, only what is new
  checkpoint, recover [session]   write where it stands; tell the model of it
  export [session]    all that was said, as lines to import or text to read
  snapshot, undo, redo   go back to a kept moment, or step by step
Look
  ls                  the sessions of the store, the latest first
  show [session]      what the model sees now, section by section; frames
  frames, log, diff   the tree; all entries; what two moments differ in
  search <words...>   what was said, in the window or long out of it
  trace <sentence...> where a sentence of a summary comes from
  expand <ref...>     the entries behind c2, f3, e40-e52 or a marker, whole
Measure
  eval <file...>      what a window keeps of a session, beside other methods

Options (every command)
  --store <folder>    where sessions are kept (FLAMESTACK_STORE, or .flamestack)
  --json              the result as JSON on stdout
  -q, --quiet         results only
  --no-color          also NO_COLOR=1; --color forces it
  --ascii             plain characters
  -h, --help   -V, --version

Sessions are named by id, by its beginning, or as @1 (the latest), @2, …

Examples
  flamestack run examples/notes-app.jsonl --window 8k   watch one
  flamestack import ~/.claude/projects/*/*.jsonl        keep your own

\`flamestack <command> --help\` has more.
But for the model server that you name, nothing leaves this machine.
`;

/** What a command's help says after its options. */
export const examples: Readonly<
  Record<
    | 'chat'
    | 'checkpoint'
    | 'recover'
    | 'doctor'
    | 'run'
    | 'import'
    | 'ls'
    | 'show'
    | 'search'
    | 'trace'
    | 'expand'
    | 'eval',
    string
  >
> = {
  chat: `
Servers: Ollama, or any that speaks as OpenAI does (llama.cpp, vLLM, LM Studio);
a key is taken from FLAMESTACK_API_KEY or OPENAI_API_KEY. FLAMESTACK_OPENAI
names a base URL for good. Piped in, each line is a message; answers go to
stdout, the rest to stderr.

Examples
  flamestack chat --model llama3.2:3b                  yesterday's session goes on
  flamestack chat notes --window 16k --tools files
  flamestack chat --openai http://127.0.0.1:8080/v1
  echo "What is left to do?" | flamestack chat notes
`,
  checkpoint: `
The file is memory/YYYY-MM-DD.md beside the store, by the day in UTC;
FLAMESTACK_DOCUMENTS names another folder, or is off. A chat writes there too.

Examples
  flamestack checkpoint
  flamestack checkpoint notes --json | jq -r .path
`,
  recover: `
Where the store or the session is gone, it is begun anew from the checkpoint
documents: memory/ beside the store, or what --from names.

Examples
  flamestack recover
  flamestack recover notes --from memory/2026-11-21.md
  flamestack recover notes --window 16k                the store is gone
`,
  doctor: `
The exit code is 4 if something has to be fixed. The model is loaded, and asked
for one token, to see its window in force and how the server counts.

Examples
  flamestack doctor
  flamestack doctor --model qwen3:8b --window 16k
  flamestack doctor --openai http://127.0.0.1:8080/v1 --json
`,
  run: `
Reads session files of pi, Claude Code, Codex, OpenCode (\`opencode export\`),
SWE-agent (.traj), OpenAI chat (JSON arrays) and flamestack itself. After each
step a prompt is assembled as a model would get it; the exit code is 4 if one
did not fit. Without --store nothing is kept.

Examples
  flamestack run examples/notes-app.jsonl --tour       with explanations
  flamestack run session.jsonl --window 16k --fast     without waiting
  flamestack run session.jsonl --json | jq -c 'select(.type == "summary")'
`,
  import: `
Lines that cannot be read are skipped and named. A file that cannot be taken in
does not stop the others; the exit code is 1 at the end.

Examples
  flamestack import session.jsonl
  flamestack import ~/.pi/agent/sessions/*/*.jsonl --window 16k
  flamestack import ~/.codex/sessions/*/*/*/*.jsonl
  flamestack import chat.json --id planning --format openai
`,
  ls: `
Examples
  flamestack ls
  flamestack ls --json | jq -r '.sessions[0].id'
`,
  show: `
The session is an id, the beginning of one, or @1 (the latest), @2, …;
the latest unless told. On a terminal long sections are cut to its height.

Examples
  flamestack show
  flamestack show @2 --full | less -R
  flamestack show notes --section working
  flamestack show --entry e6                           one entry, whole
`,
  search: `
Words are found in any form, names also by their parts: token finds
refreshToken. On a terminal the lines that answer are shown; the exit code is 3
if nothing is found.

Examples
  flamestack search refresh token
  flamestack search parser.ts --role tool --tool bash
  flamestack search TS2345 --session notes --turns 10-
  flamestack search "never rename" --role person --all --json
`,
  trace: `
A sentence that stands in a checkpoint is looked for in the entries behind it;
any other in the whole log.

Examples
  flamestack trace "Tokens live in a cookie"
  flamestack trace c2 --limit 10                       what it is made of
`,
  expand: `
Examples
  flamestack expand c2                                 what a checkpoint stands for
  flamestack expand e40-e52 --session notes --json
  flamestack expand "[cleared: 900 tokens, e12]"
`,
  eval: `
Plays each file through every method, makes a context before each assistant
message, and looks there for what that message takes up again: names, copied
text, directives of people. No model is asked, nothing is kept.

Methods: flamestack, keep-last, head-tail, clear-results, prune-calls, user-first;
and tuned, with options of your own.

Examples
  flamestack eval session.jsonl
  flamestack eval *.jsonl --budget 8k,16k --method flamestack,keep-last
  flamestack eval session.jsonl --method flamestack,tuned --trigger 0.9
  flamestack eval session.jsonl --json | jq '.totals[].rates.far'
`,
};
