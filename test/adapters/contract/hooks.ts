import { mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { hook } from '../../../src/cli/hosts/hook.ts';
import { run } from '../../cli/call.ts';
import { folderOf, image, type Answer, type Host, type Turn } from './host.ts';

type Line = Readonly<Record<string, unknown>>;

/** An agent that writes a session file, tells its hooks of each turn, and compacts after it. */
function hooked(
  name: string,
  host: string,
  linesOf: (turn: Turn, at: number) => readonly Line[],
): Host {
  return {
    name,
    store: 'folder',
    can: { image: true },
    session: () => 'contract',
    async begin(place) {
      const store = folderOf(place);
      if (!existsSync(store)) await mkdir(store);
      const transcript = join(place.folder, 'session.jsonl');
      const lines = (place.memory.get('lines') ?? []) as Line[];
      const turns = (place.memory.get('turns') ?? []) as Turn[];
      place.memory.set('lines', lines).set('turns', turns);
      const call = async (line: string, event?: object): Promise<string> => {
        const stdin = Readable.from(event === undefined ? [] : [JSON.stringify(event)]);
        const { exit, out } = await run((words, io) => hook(words, io, 0), line, { stdin });
        if (exit !== 0) throw new Error(`the hook of ${line} failed`);
        return out;
      };
      return {
        asked: [],
        async take(turn) {
          lines.push(...linesOf(turn, turns.push(turn)));
          await writeFile(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
          // Two events of a turn take the same in.
          for (let event = 0; event < 2; event += 1) await call(`${host} ${transcript} ${store}`);
          const event = {
            hook_event_name: 'SessionStart',
            source: 'compact',
            session_id: 'contract',
            cwd: place.folder,
            transcript_path: transcript,
          };
          const answer = await call(host, event);
          // Where no store can be there is nothing to hand back; what an agent takes is bounded.
          const { additionalContext: text } = JSON.parse(answer).hookSpecificOutput;
          if (text.length > 9_800 || text === '') throw new Error(`${text.length} are handed back`);
          return turn.answers.at(-1)!.text;
        },
        quit: async () => {},
      };
    },
  };
}

const timeOf = (at: number): string => new Date(Date.UTC(2026, 2, 1, 9, at)).toISOString();

export const claudeCode = hooked(
  'Claude Code',
  'claude-code',
  ({ said, image: shown, answers }, at) => {
    const source = { type: 'base64', media_type: 'image/png', data: image };
    const user = (content: unknown) => ({ role: 'user', content });
    const text = { type: 'text', text: said };
    const messages = [
      user(shown ? [text, { type: 'image', source }] : said),
      ...answers.flatMap((answer, step) => [
        {
          role: 'assistant',
          id: `m${at}.${step}`,
          content: blocksOf(answer),
          stop_reason: 'end_turn',
        },
        ...answer.calls.map(({ id, result }) =>
          user([{ type: 'tool_result', tool_use_id: id, content: result }]),
        ),
      ]),
    ];
    return messages.map((message, n): Line => {
      const parent = n === 0 ? (at === 1 ? null : `u${at - 1}.last`) : `u${at}.${n - 1}`;
      return {
        type: message.role,
        uuid: n === messages.length - 1 ? `u${at}.last` : `u${at}.${n}`,
        parentUuid: parent,
        sessionId: 'contract',
        timestamp: timeOf(at),
        cwd: '/home/ada/ledger',
        version: '2.1.0',
        message,
      };
    });
  },
);

const blocksOf = ({ text, calls }: Answer): readonly object[] => [
  ...(text === '' ? [] : [{ type: 'text', text }]),
  ...calls.map(({ id }) => ({ type: 'tool_use', id, name: 'read', input: { id } })),
];

export const codex = hooked('Codex', 'codex', ({ said, image: shown, answers }, at) => {
  const item = (payload: object): Line => ({
    timestamp: timeOf(at),
    type: 'response_item',
    payload,
  });
  const message = (role: string, content: readonly object[]) =>
    item({ type: 'message', role, content });
  const picture = { type: 'input_image', image_url: `data:image/png;base64,${image}` };
  const meta = {
    id: 'contract',
    timestamp: timeOf(0),
    cwd: '/home/ada/ledger',
    cli_version: '0.60.0',
  };
  return [
    ...(at === 1 ? [{ timestamp: timeOf(0), type: 'session_meta', payload: meta }] : []),
    message('user', [{ type: 'input_text', text: said }, ...(shown ? [picture] : [])]),
    ...answers.flatMap(({ text, calls }) => [
      ...(text === '' ? [] : [message('assistant', [{ type: 'output_text', text }])]),
      ...calls.map(({ id }) =>
        item({
          type: 'function_call',
          name: 'read',
          call_id: id,
          arguments: JSON.stringify({ id }),
        }),
      ),
      ...calls.map(({ id, result }) =>
        item({ type: 'function_call_output', call_id: id, output: result }),
      ),
    ]),
  ];
});
