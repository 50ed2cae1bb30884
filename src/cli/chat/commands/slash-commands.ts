import { isSimilar } from '../../call/near.ts';
import { parseWindow } from '../../command-line/window.ts';
import { cleanLine } from '../../paper/clean.ts';
import type { Paper } from '../../paper/paper.ts';
import { nowText } from '../../render/step.ts';
import { padEnd, wrap } from '../../paper/width.ts';
import type { Chat, TakenMessage } from '../conversation/chat.ts';
import { ownOf } from '../conversation/chat-tools.ts';
import { measurePrompt } from '../conversation/opening/check-room.ts';
import { systemCommand, tellOfTools } from '../conversation/system-prompt.ts';
import { goalCommand } from './goal-command.ts';
import { modelCommand } from './model-command.ts';
import { frameToDrop, frameToStart } from './named-frame.ts';
import { popCommand } from './pop-command.ts';
import { recallCommand } from './recall-command.ts';
import { refused } from './refused.ts';
import { retryCommand } from './retry-command.ts';
import { snapshotCommand, undoCommand } from './snapshot-command.ts';
import { statusLines } from './status.ts';
import { toolsCommand } from './tools-command.ts';

/** Something that a person asks of the chat itself. */
interface SlashCommand {
  readonly name: string;
  /** What may follow the name. */
  readonly takes: string;
  readonly about: string;
  /** Whether it only tells something, with what follows its name, and so may come while a question is open. */
  tells?(rest: string): boolean;
  run(chat: Chat, rest: string): Promise<TakenMessage | void>;
}

const always = (): boolean => true;
const alone = (rest: string): boolean => rest === '';

/** Every command, in the order of `/help`. */
const commands: readonly SlashCommand[] = [
  {
    name: 'help',
    takes: '',
    about: 'this list',
    tells: always,
    run: async (chat) => helpCommand(chat),
  },
  {
    name: 'push',
    takes: '<title> [-- criteria]',
    about: 'begin a piece of work of its own',
    async run({ session, teller }, rest) {
      const frame = frameOf(rest, 'push');
      await session.push(frame);
      teller.tell({ type: 'note', text: `Working on: ${frame.title}` });
    },
  },
  {
    name: 'pop',
    takes: '[status] [results]',
    about: 'end it as completed, failed or blocked',
    run: popCommand,
  },
  {
    name: 'plan',
    takes: '<title> [-- criteria]',
    about: 'note work for later, below where you are',
    async run({ session, teller }, rest) {
      const frame = frameOf(rest, 'plan');
      const { id } = await session.frames.plan(frame);
      teller.tell({ type: 'note', text: `Planned: ${frame.title} (${id})` });
    },
  },
  {
    name: 'status',
    takes: '',
    about: 'frames, budget, model',
    tells: always,
    run: async (chat) => chat.teller.tell({ type: 'lines', lines: statusLines(chat) }),
  },
  {
    name: 'start',
    takes: '<frame>',
    about: 'begin what was planned, by id or title',
    async run({ session, teller }, rest) {
      const { id } = frameToStart(session, needed(rest, '/start f2'));
      await session.frames.start(id);
      teller.tell({ type: 'note', text: nowText(session) });
    },
  },
  {
    name: 'drop',
    takes: '<frame> [why]',
    about: 'give up a piece of work, with all below it',
    async run({ session, teller }, rest) {
      const frame = frameToDrop(session, needed(rest, '/drop f2'));
      await session.frames.invalidate(frame.id, frame.rest);
      teller.tell({ type: 'note', text: `Given up: ${frame.name}. ${nowText(session)}` });
    },
  },
  {
    name: 'recall',
    takes: '<words or ids>',
    about: 'find what was said, or read e12, e4-e9, c2, f3',
    tells: always,
    run: recallCommand,
  },
  {
    name: 'goal',
    takes: '[text]',
    about: 'what this is for; or pause, resume, complete',
    tells: (rest) => rest === '' || rest === 'show',
    run: goalCommand,
  },
  {
    name: 'decision',
    takes: '<text>',
    about: 'lock a decision: it stays word for word',
    async run({ session, teller }, rest) {
      const text = needed(rest, '/decision Tabs are two spaces');
      const { goal } = session.state;
      if (goal === null) throw refused('There is no goal yet: /goal <text> sets one.');
      const others = goal.decisions.filter((one) => one.text !== text);
      await session.goal.update({ decisions: [...others, { text, locked: true }] });
      teller.tell({ type: 'note', text: `Locked: ${text}` });
    },
  },
  {
    name: 'tools',
    takes: '[forget <tool>]',
    about: 'who has which; take back an always',
    tells: alone,
    run: toolsCommand,
  },
  {
    name: 'model',
    takes: '[name]',
    about: 'another model, or which there are',
    tells: alone,
    run: modelCommand,
  },
  {
    name: 'window',
    takes: '[tokens]',
    about: 'another window: 8192, 8k, 16k',
    tells: alone,
    async run(chat, rest) {
      const { session, teller, now } = chat;
      if (rest !== '') {
        await session.configure({ window: parseWindow(rest) });
        now.isWindowChecked = false;
        await measurePrompt(chat);
        if (now.own !== ownOf(chat)) await tellOfTools(chat);
      }
      teller.tell({ type: 'window', budget: session.state.budget });
    },
  },
  {
    name: 'compress',
    takes: '[focus]',
    about: 'shorten old turns now',
    async run({ session, teller, person }, focus) {
      const before = session.state.compressions;
      await person.during((signal) => session.compress({ focus, signal }));
      if (session.state.compressions > before) return;
      teller.tell({ type: 'note', text: 'Nothing is old enough to be shortened yet.' });
    },
  },
  {
    name: 'checkpoint',
    takes: '',
    about: 'write down where we stand',
    async run({ session, teller }) {
      const { path } = await session.writeDocument();
      teller.tell({ type: 'note', text: `Written to ${cleanLine(path)}` });
    },
  },
  {
    name: 'system',
    takes: '[text]',
    about: 'the system prompt, or another one',
    tells: alone,
    run: systemCommand,
  },
  {
    name: 'undo',
    takes: '',
    about: 'take back the last compression, pop, push or goal',
    run: (chat) => undoCommand(chat, 'undo'),
  },
  {
    name: 'redo',
    takes: '',
    about: 'take it again',
    run: (chat) => undoCommand(chat, 'redo'),
  },
  {
    name: 'snapshot',
    takes: '[title], or ls',
    about: 'remember this moment; `restore s3` goes back',
    tells: (rest) => /^(?:ls|show .*)$/.test(rest),
    run: snapshotCommand,
  },
  {
    name: 'retry',
    takes: '',
    about: 'another answer to the last message',
    run: retryCommand,
  },
  { name: 'quit', takes: '', about: 'leave; nothing is lost', run: async () => 'leave' },
];

/** What can be typed after a slash, with it. */
export const commandWords: readonly string[] = commands.map(({ name }) => `/${name}`);

/** What a line that begins with a slash asks for. */
interface FoundCommand {
  /** As it was typed. */
  readonly name: string;
  /** Undefined where there is none of that name. */
  readonly command: SlashCommand | undefined;
  readonly rest: string;
}

/** What a line that begins with a slash asks for; null for a message. A path is a message. */
export function foundCommand(text: string): FoundCommand | null {
  const match = /^\/([a-z?]+)(?:\s+([^]*))?$/i.exec(text.trim());
  if (match === null) return null;
  const name = match[1]!.toLowerCase();
  const command = commands.find((one) => one.name === (aliases[name] ?? name));
  return { name, command, rest: (match[2] ?? '').trim() };
}

/** Whether a line is a command that there is. */
export const isCommand = (line: string): boolean => foundCommand(line)?.command !== undefined;

/** Carries out the command that a line is; null for a message. */
export function commandIn(text: string): ((chat: Chat) => Promise<TakenMessage>) | null {
  const parsed = foundCommand(text);
  if (parsed === null) return null;
  const { name, command, rest } = parsed;
  return async (chat) => {
    if (command === undefined) throw refused(unknown(name));
    return (await command.run(chat, rest)) ?? 'done';
  };
}

const aliases: Readonly<Record<string, string>> = {
  exit: 'quit',
  q: 'quit',
  '?': 'help',
  h: 'help',
};

function unknown(name: string): string {
  const near = commands.find((one) => one.name[0] === name[0] && isSimilar(one.name, name));
  const hint = near === undefined ? '/help lists the commands.' : `Did you mean /${near.name}?`;
  return `There is no command /${cleanLine(name)}. ${hint}`;
}

/** Lists every command with what it takes and does. */
export function helpCommand({ teller, call }: Pick<Chat, 'teller' | 'call'>): void {
  teller.tell({ type: 'lines', lines: helpLines(call.paper()) });
}

function helpLines({ width }: Paper): readonly string[] {
  const rows = commands.map(({ name, takes, about }) => [`/${name} ${takes}`.trim(), about]);
  const usages = Math.max(...rows.map(([usage]) => usage!.length));
  const widest = Math.max(...rows.map(([, about]) => usages + about!.length + 4));
  const notes = [
    'A line that ends with \\ goes on, so does an open ``` fence; a paste is one.',
    'Ctrl-C stops an answer, clears a line, leaves an empty one; Ctrl-D leaves.',
  ];
  return [
    ...rows.flatMap(([usage, about]) =>
      widest <= width
        ? [`  ${padEnd(usage!, usages)}  ${about}`]
        : [`  ${usage}`, ...wrap(about!, width - 6).map((line) => `      ${line}`)],
    ),
    '',
    ...notes.flatMap((note) => wrap(note, width)),
  ];
}

function frameOf(rest: string, verb: string): { title: string; criteria?: string } {
  const [title = '', ...criteria] = rest.split(/\s+--\s+/);
  const text = criteria.join(' -- ').trim();
  return {
    title: needed(title.trim(), `/${verb} Parser -- all its tests pass`),
    ...(text === '' ? {} : { criteria: text }),
  };
}

function needed(text: string, example: string): string {
  if (text !== '') return text;
  throw refused(`It takes more: ${example}`);
}
