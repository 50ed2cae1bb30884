import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fences, folders, importsOf, matched, rooms, roomsOf, violations } from './rooms.ts';

const root = new URL('..', import.meta.url);
const files = Object.fromEntries(
  ['machines', 'src', 'tools'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?[jt]sx?$/.test(name))
      .map((name) => `${folder}/${name}`)
      .map((file) => [file, importsOf(readFileSync(new URL(file, root), 'utf8'))]),
  ),
);

test('each import goes the way it may', () => {
  expect(violations(files)).toEqual([]);
});

test.each(Object.keys(rooms))('the rooms of %s are those on disk', (folder) => {
  const here = readdirSync(new URL(folder, root), { withFileTypes: true });
  const names = here.flatMap((each) => (each.isDirectory() ? [each.name] : []));
  expect(roomsOf(folder).toSorted()).toEqual(names.toSorted());
});

test('each file has a line that says what it may import', () => {
  const lines = Object.keys(folders);
  const free = Object.keys(files).filter((file) => !lines.some((line) => matched(line, file)));
  expect(free).toEqual([]);
});

test('each pattern of the rules matches a file', () => {
  const lists = [Object.entries(folders), fences.map(({ of, never }) => [of, never])].flat(2);
  const patterns = lists.flatMap((list) => list.match(/(?:machines|src|tools)\S+/g) ?? []);
  const paths = Object.keys(files);
  expect(patterns.filter((one) => !paths.some((path) => matched(one, path)))).toEqual([]);
});

/** Planted files, with imports that break a rule each, and some that break none. */
const planted = `
src/core/a.ts imports fs flamestack flamestack/testing ../engine/a.ts ../../tools/laws/law.ts node:fs xstate level: src/core/ imports only its own
src/core/text/a.ts imports ../../store/store.ts ../../../machines/index.ts stemmer: src/core/ imports only its own
src/core/search/a.ts imports node:fs stem stemmer/index.js stemmers: src/core/search/ imports only its own
machines/a.ts imports ../src/engine/a.ts ../src/cli/a.ts ../src/index.ts ../test/a.ts node:fs level xss: machines/ imports only its own
src/store/a.ts imports ../llm/a.ts ../engine/a.ts ../index.ts ../../machines/index.ts ../../tools/bench/a.ts: src/store/ imports only its own
src/store/level/a.ts imports ../../tokenizer/a.ts: src/store/ imports only its own
src/llm/a.ts imports ../store/store.ts ../tokenizer/a.ts: src/llm/ imports only its own
src/tokenizer/a.ts imports ../import/a.ts ../cli/main.ts: src/tokenizer/ imports only its own
src/import/a.ts imports ../engine/a.ts ../testing/index.ts: src/import/ imports only its own
src/engine/live/a.ts imports ../../cli/a.ts ../../index.ts ../../testing/a.ts ../../../tools/laws/a.ts: src/engine/ imports only its own
src/index.ts imports ../tools/laws/law.ts: src/index.ts imports only its own
src/testing/a.ts imports ../cli/main.ts ../../tools/truncation/a.ts: src/testing/ imports only its own
src/adapters/pi/a.ts imports ../../core/frames/a.ts ../../engine/a.ts ../../../machines/frame.ts: src/adapters/ imports only its own
src/adapters/pi/a.ts imports ../../cli/main.ts ../../cli/look/a.ts ../../cli/command-line/a.ts: src/adapters/ imports only its own
src/cli/look/a.ts imports ../../core/a.ts ../../engine/a.ts ../../../machines/frame.ts ../../../tools/eval/a.ts: src/cli/ imports only its own
src/viewer/a.ts imports ../engine/live/clock.ts ../core/values/id.ts: src/viewer/ imports only its own
tools/eval/a.ts imports ../../src/core/a.ts ../../src/cli/main.ts ../../machines/index.ts ../laws/a.ts: tools/eval/ imports only its own
tools/eval/cli/a.ts imports ../../../src/engine/a.ts ../../laws/a.ts: tools/eval/cli/ imports only its own

src/core/values/a.ts imports ../messages/message.ts ../formats/wire.ts ../index.ts: a room of src/core/
src/engine/journal/masking/a.ts imports ../../step/draft.ts ../../live/a.ts: a room of src/engine/
src/engine/open/a.ts imports ../durable/durable.ts: a room of src/engine/
src/llm/a.ts imports ./server/a.ts: a room of src/llm/
src/llm/openai/a.ts imports ../ollama/ollama.ts: a room of src/llm/
src/import/source/a.ts imports ../codex/codex.ts ../formats.ts: a room of src/import/
src/cli/sessions/a.ts imports ../command-line/date.ts ../render/a.ts: a room of src/cli/
src/cli/chat/conversation/opening/a.ts imports ../../commands/status.ts ../../loop.ts: a room of src/cli/chat/
src/cli/chat/conversation/opening/a.ts imports ../../../doctor/doctor.ts: a room of src/cli/

src/engine/step/a.ts imports node:fs ../../store/store.ts ../../llm/a.ts ../../tokenizer/a.ts: the pure half
src/engine/compression/a.ts imports ../../import/a.ts: the pure half
src/engine/decide/a.ts imports node:fs/promises: the pure half
src/engine/inspect/a.ts imports ../../store/store.ts: the pure half
src/engine/recall/a.ts imports ../live/live-session.ts ../live/live-sessions.ts: take a SessionReader
src/engine/commands/a.ts imports ../live/live-session.ts: take a SessionReader
src/engine/sync/a.ts imports ../live/live-session.ts: take a SessionReader
src/engine/session/a.ts imports ../live/live-session.ts: take a SessionReader
src/engine/import/a.ts imports ../live/live-session.ts: take a SessionReader
src/engine/tools/a.ts imports ../live/listeners.ts: tools see a session as its users do
src/engine/durable/a.ts imports ../decide/a.ts ../session/a.ts ../live/live-session.ts: a machine of somebody's own
src/cli/play/a.ts imports ../../../machines/index.ts: of all commands only those of look

src/core/index.ts imports ./values/id.ts ./formats/wire.ts
src/core/search/a.ts imports ./rank.ts ../values/top-k.ts stemmer
machines/a.ts imports ../src/core/frames/tree.ts ./port.ts xstate xstate/graph
src/store/a.ts imports ../core/values/error.ts ./key.ts level node:fs
src/llm/ollama/a.ts imports ../summarizer.ts ../server/a.ts ./call.ts
src/engine/step/a.ts imports ../../core/state/state.ts ../../../machines/index.ts xstate
src/engine/journal/a.ts imports ../../store/store.ts ../../llm/a.ts ../../import/a.ts node:fs
src/engine/session/a.ts imports ../live/session-access.ts ../commands/command.ts
src/engine/durable/a.ts imports ../open/open-store.ts ../live/clock.ts xstate
src/adapters/pi/a.ts imports ../../cli/call/a.ts ../../core/formats/a.ts ../../../machines/index.ts ../../index.ts langchain
src/cli/look/a.ts imports ../../../machines/index.ts ../../names.ts ../io.ts commander
src/cli/chat/loop.ts imports ./commands/status.ts ../call/call.ts
tools/eval/cli/a.ts imports ../index.ts ../../../src/cli/io.ts ../../../src/viewer/a.ts commander
tools/laws/a.ts imports ../../src/engine/a.ts
`;

test.each(planted.match(/.+/g)!)('planted: %s', (line) => {
  const [, file, names, rule] = /^(\S+) imports (.+?)(?:: (.+))?$/.exec(line)!;
  const imported = names!.split(' ');
  expect(violations({ [file!]: imported })).toEqual(
    rule === undefined
      ? []
      : imported.map((name) => expect.stringContaining(`${file} imports ${name}: ${rule}`)),
  );
});

test('an import is seen in every form', () => {
  const code = `import { a } from './a.ts';
import type { B } from './b.ts';
import {
  // it's commented
  c,
} from './c.ts';
import './d.ts';
export { e } from "./e.ts";
export * as f from './f.ts';
export const g = (): Promise<unknown> => import('./g.ts');
export type H = import('./h.ts').H;
import i = require('./i.ts'); import './j.ts';
declare module 'm' {
  import { k } from './k.ts';
}
const l = await import(/* later */ './l.ts');
export { m }
  from './m.ts';
// never import('./n.ts')
`;
  const letters = 'abcdefghijklm'.split('');
  expect(importsOf(code)).toEqual(letters.map((letter) => `./${letter}.ts`));
});
