import { beforeAll, expect, test } from 'vitest';
import { startOllamaServer, type OllamaAsked } from '../../../../src/testing/index.ts';
import { newFolder } from '../../../store/folder.ts';
import { gate } from '../../../gate.ts';
import { build, hasPty, program, shell } from '../../pty.ts';

beforeAll(build);

test.runIf(hasPty)(
  'Ctrl-Z stops a chat at its prompt, at a question and during an answer, and fg goes on there',
  async () => {
    const held = gate();
    const reply = ({ messages }: OllamaAsked) => {
      const { role, content } = messages.at(-1)!;
      if (role === 'tool') return { content: 'It was read.' };
      if (content === 'Count.')
        return {
          content: 'One two three',
          before: (chunk: number) => (chunk === 1 ? held.passed : undefined),
        };
      if (content === 'Read it.')
        return {
          toolCalls: [{ name: 'read_file', arguments: { path: 'package.json' } }],
        };
      return { content: 'Heard.' };
    };
    await using server = await startOllamaServer({ models: { tiny: {} }, reply });
    const bash = `exec env PS1='ready> ' bash --norc --noprofile -i`;
    const screen = shell(bash, { OLLAMA_HOST: server.url });
    await screen.until('ready>');
    const store = await newFolder();
    screen.type(
      `'${process.execPath}' '${program}' chat notes --tools files --no-frames --store '${store}'`,
    );
    await screen.until('\n> ');
    const stopped = async (): Promise<void> => {
      screen.press('\x1a');
      await screen.until(/Stopped[^]*ready>/);
    };
    const stopAndGoOn = async (shown: RegExp): Promise<void> => {
      await stopped();
      screen.type('fg');
      await screen.until(shown);
    };

    screen.press('half a');
    await screen.until('half a');
    await stopAndGoOn(/fg\n[^]*chat notes[^]*\n> half a$/);
    screen.type(' line');
    await screen.until(/Heard\.[^]*\n> $/);

    screen.type('Read it.');
    await screen.until('[y]es');
    screen.press('ye');
    await screen.until('ye');
    await stopAndGoOn(/\[y\]es[^\n]* ye$/);
    screen.type('s');
    await screen.until(/It was read\.[^]*\n> $/);

    screen.type('Count.');
    await screen.until('One');
    await stopAndGoOn(/fg\n[^]*chat notes/);
    held.open();
    await screen.until(/three[^]*\n> $/);

    await stopAndGoOn(/\n> $/);
    screen.press('\x03');
    await screen.until('Kept. Go on with');
    await screen.until('ready>');
    screen.type('exit');
    await screen.ended;
    const said = server.log
      .filter(({ path }) => path === '/api/chat')
      .map(({ body }) => body.messages?.findLast(({ role }) => role === 'user')?.content);
    expect(said).toEqual(['half a line', 'Read it.', 'Read it.', 'Count.']);
  },
  60_000,
);
