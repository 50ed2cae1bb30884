import { expect, test } from 'vitest';
import { withInstructions, withoutInstructions } from '../../../../src/cli/chat/tools/own-tools.ts';
import { stage, type Stage } from '../../chat-stage.ts';

/** A tool as a server is told of it. */
interface Told {
  readonly function: { readonly name: string };
}

/** Of each question: the tools that the model was told of, and the heading over what is said of them. */
function toldIn({ server }: Stage): readonly (readonly [string, string | undefined])[] {
  return server.log
    .filter(({ path, body }) => path === '/api/chat' && body.tools !== undefined)
    .map(({ body }) => [
      (body.tools as readonly Told[]).map(({ function: { name } }) => name).join(' '),
      /^# .*$/m.exec(body.messages?.[0]?.content ?? '')?.[0],
    ]);
}

const all = [expect.stringMatching(/^frame_push .* recall goal_update$/), '# Working in frames'];
const recall = ['recall', '# What was left out'];

test('in a small window a model is told of recall alone, and of all tools once there is room', async () => {
  const place = await stage();
  const lines = 'Hello\n/window 16k\nHello again\n/window 4k\nAnd again\n';
  expect(await place.pipe('a --window 4k', lines)).toMatchObject({ exit: 0 });
  expect(toldIn(place)).toEqual([recall, all, recall]);
});

test('from sixteen thousand tokens on a model is told of all', async () => {
  const place = await stage();
  await place.pipe('a --window 15999', 'Hello\n');
  await place.pipe('b --window 16000', 'Hello\n');
  expect(toldIn(place)).toEqual([recall, all]);
});

test('whoever asks for frames has them in any window, and so has who goes on', async () => {
  const place = await stage();
  const { err } = await place.pipe('a --window 4k --frames', 'Hello\n');
  expect(err).toBe('');
  await place.pipe('a', 'Hello again\n');
  await place.pipe('a --frames --system Short.', 'And again\n');
  expect(toldIn(place)).toEqual([all, recall, all]);
});

test('without tools nothing is said of them', async () => {
  const place = await stage();
  await place.pipe('a --window 4k --no-frames', 'Hello\n');
  const asked = place.server.log.find(({ path }) => path === '/api/chat')!;
  expect(asked.body.tools ?? []).toEqual([]);
  expect(asked.body.messages?.[0]?.content).not.toContain('# ');
});

test.each(['all', 'recall', 'none'] as const)(
  'what is said of %s tools can be taken back',
  (own) => {
    expect(withoutInstructions(withInstructions('Be brief.', own))).toBe('Be brief.');
    expect(withoutInstructions(withInstructions('', own))).toBe('');
  },
);
