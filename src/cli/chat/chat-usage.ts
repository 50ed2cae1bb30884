import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import {
  type SessionWords,
  common,
  documentsOption,
  hostOption,
  meant,
  modelOption,
  openaiOption,
  parseNames,
  windowOption,
} from '../command-line/options.ts';
import type { ChatOptions } from './conversation/chat-options.ts';

const examples = `
Servers: Ollama, or any that speaks as OpenAI does (llama.cpp, vLLM, LM Studio);
a key is taken from FLAMESTACK_API_KEY or OPENAI_API_KEY. FLAMESTACK_OPENAI
names a base URL for good. Piped in, each line is a message; answers go to
stdout, the rest to stderr.

Examples
  flamestack chat --model llama3.2:3b                yesterday's session goes on
  flamestack chat notes --window 16k --tools files
  flamestack chat notes --mcp .mcp.json
  flamestack chat --openai http://127.0.0.1:8080/v1
  echo "What is left to do?" | flamestack chat notes
`;

/** Adds `chat`. */
export function addChat(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('chat')
    .description('Talk with a model on your own server, in a session that goes on for ever.')
    .argument('[session...]', 'the latest chat unless told; a new name begins another')
    .addOption(modelOption('FLAMESTACK_MODEL, the one used last, or the only one, unless told'))
    .addOption(hostOption())
    .addOption(openaiOption())
    .addOption(windowOption('as the server has it, else 8k; a session keeps its own'))
    .option('--system <text>', 'the system prompt, or a file: @prompt.md')
    .addOption(
      new Option(
        '--summarizer <who>',
        'who tells what left the window; embedded unless told',
      ).choices(['embedded', 'model']),
    )
    .addOption(
      new Option('--tools <names>', 'what the model may use here: files, to read').argParser(
        parseTools,
      ),
    )
    .option('--mcp <file>', 'servers of tools: { "mcpServers": … }')
    .option('--yes', 'let it use them without asking')
    .option('--frames', 'tools for frames and goals in any window; from 16,000 tokens unless told')
    .option('--no-frames', 'without them, and without recall')
    .addOption(documentsOption())
    .option('--think', 'show what it thinks')
    .option('--keep-alive <time>', 'how long the model stays loaded: 30m, -1 for ever')
    .option('--new', 'begin another session')
    .option('--once', 'all of stdin as one message');
  common(command, examples).action(
    async (said: SessionWords, options: ChatOptions & CommonOptions) => {
      const { chat } = await import('./chat-command.ts');
      settle(await chat(meant(said), options, call(options)));
    },
  );
}

/** What `--tools` names. */
function parseTools(text: string): ChatOptions['tools'] {
  const names = parseNames(text);
  for (const name of names)
    if (name !== 'files')
      throw new InvalidArgumentError('There is files; other tools come from servers: --mcp.');
  return names as ChatOptions['tools'];
}
