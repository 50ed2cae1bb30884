import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { SimulatedClock } from 'xstate';
import {
  emptyDocument,
  printDocument,
  type CheckpointDocument,
} from '../../src/core/documents/document.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { replayed } from '../engine/replayed.ts';
import { parseDocuments, type FrameNode, type Goal, type Session } from '../../src/index.ts';
import { newDisk } from '../engine/disk.ts';
import { newLocation } from '../store/folder.ts';

// The store is gone and a document is left: what the document can hold comes
// back as what it was, whatever the texts; what a person wrote into it is told.

const pieces = [
  '# ',
  '- [x] ',
  '* ',
  '1. ',
  '|',
  '```',
  '`',
  '> ',
  '\\',
  '&#32;',
  '<!-- -->',
  ' — ',
  '—',
  ' (noted)',
  '(frame)',
  ' (locked)',
  ' (high priority)',
  '### Action Items',
  '**Goal:** ',
  '\n',
  '\n\n',
  '\t',
  ' ',
  '日本語',
  '你好。',
  '한국어',
  '👩‍👩‍👧',
  'src/a.ts',
  'Keep it.',
  'x',
] as const;
const text = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 })
  .map((found) => `${found.join('')}w`);
/** As long as a title may be. */
const short = text.filter((one) => one.length <= 18);
const texts = fc.uniqueArray(short, { maxLength: 4 });
const listed = <T>(more: Record<string, fc.Arbitrary<T>>, key = 'text') =>
  fc.uniqueArray(fc.record({ [key]: text, ...more }), {
    maxLength: 4,
    selector: (one) => one[key],
  }) as fc.Arbitrary<never[]>;

const anyGoal: fc.Arbitrary<Goal> = fc.record({
  description: text,
  priority: fc.constantFrom('high', 'medium', 'low'),
  status: fc.constantFrom('active', 'paused', 'completed'),
  milestones: listed({ status: fc.constantFrom('pending', 'in_progress', 'completed') }),
  decisions: listed({ locked: fc.boolean() }),
  artifacts: listed({ change: fc.constantFrom('created', 'modified') }, 'path'),
  next: texts,
});

interface Work {
  readonly goal: Goal;
  readonly title: string;
  /** What is open from the root down, each with what is planned and blocked beside it. */
  readonly path: readonly {
    readonly title: string;
    readonly criteria: string;
    readonly planned: readonly string[];
    readonly blocked: readonly string[];
    readonly closed: readonly string[];
  }[];
}

const anyWork: fc.Arbitrary<Work> = fc.record({
  goal: anyGoal,
  title: fc.constantFrom('', 'Notes app', 'A — b (frame)'),
  path: fc.array(
    fc.record({ title: short, criteria: text, planned: texts, blocked: texts, closed: texts }),
    { maxLength: 3 },
  ),
});

const ends = async (s: Session, titles: readonly string[], status: 'blocked' | 'completed') => {
  for (const title of titles) {
    await s.push({ title, criteria: `${title} is done` });
    await s.pop({ status, results: 'It is as it is' });
  }
};

async function begin(s: Session, { goal, path }: Work): Promise<void> {
  await s.goal.set(goal);
  for (const { title, criteria, planned, blocked, closed } of path) {
    await ends(s, closed, 'completed');
    for (const one of planned) await s.frames.plan({ title: one, criteria: `${one}!` });
    await ends(s, blocked, 'blocked');
    await s.push({ title, criteria });
  }
}

/** The frames that are open or planned, without their ids. */
const openIn = ({ title, criteria, status, children }: FrameNode): unknown => {
  const open = children.filter((one) => /in_progress|planned|blocked/.test(one.status));
  return [title, criteria, status, open.map(openIn)];
};

async function opened(id: string, title = '') {
  const disk = await newDisk();
  const store = await openOver(disk.mount(), { clock: new SimulatedClock() });
  const options = { window: 64_000, ...(title === '' ? {} : { title }) };
  return { disk, store, s: await store.open(id, options) };
}

/** A folder with one document. */
async function memory(document: string): Promise<string> {
  const folder = await newLocation();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '2026-01-31.md'), document);
  return folder;
}

async function recovered(id: string, document: string) {
  const found = await opened(id);
  await found.s.recover({ from: await memory(document) });
  return found;
}

test('what a document holds comes back: goal, decisions, milestones, files, next steps, frames, title', async () => {
  await fc.assert(
    fc.asyncProperty(anyWork, async (work) => {
      const { s, store } = await opened('s', work.title);
      await begin(s, work);
      const document = await s.document();
      const { s: again, disk, store: other } = await recovered('s', document);
      expect(again.state.goal).toEqual(work.goal);
      expect(openIn(again.frames.tree())).toEqual(openIn(s.frames.tree()));
      const [first, second] = [document, await again.document()].map(
        (one) => parseDocuments(one)[0]!,
      );
      const isOpen = ({ kind }: { kind?: string }) => !/completed|failed/.test(kind ?? '');
      expect(second!.actions.filter(isOpen)).toEqual(first!.actions.filter(isOpen));
      expect(second!.decisions).toEqual(first!.decisions);
      expect(second).toMatchObject({ title: first!.title, goal: first!.goal });
      expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
      await Promise.all([store.close(), other.close()]);
    }),
    { numRuns: draws(60) },
  );
});

const worked: CheckpointDocument = {
  ...emptyDocument,
  id: 's/9',
  session: 's',
  at: 1_769_869_920_000,
  reason: 'pop',
  messages: 24,
  topic: 'Log-in',
  goal: 'Build a notes app',
  priority: 'high',
  decisions: [
    { text: 'Tokens live in memory only', done: true },
    { text: 'Perhaps a cookie later', done: false },
    { text: 'The guard in checkExpiry was inverted', done: true, kind: 'noted' },
  ],
  actions: [
    { text: 'Schema', done: true, kind: 'milestone' },
    { text: 'Log-in', done: false, kind: 'milestone, in progress' },
    { text: 'Settings', done: false, kind: 'milestone' },
    { text: 'Log-in', done: false, kind: 'frame', detail: 'tokens are refreshed' },
    { text: 'Guard', done: true, kind: 'frame, completed', detail: 'turned round', depth: 1 },
    { text: 'Clock', done: false, kind: 'frame, planned', detail: 'survives a jump', depth: 1 },
    { text: 'Old way', done: true, kind: 'frame, failed', detail: 'failed: no such host' },
    { text: 'Read the RFC', done: false, kind: 'noted' },
    { text: 'Write the settings page', done: false },
  ],
  questions: ['Does the mobile app share the session?'],
  status: 'Turn 9.\nLast answer (e24): The guard is fixed.',
  files: [{ path: 'auth/guard.ts', change: 'created (e23)' }],
};

test('each kind of line comes back as what it was', async () => {
  const { s } = await recovered('s', printDocument(worked));
  expect(s.state.goal).toEqual({
    description: 'Build a notes app',
    priority: 'high',
    status: 'active',
    milestones: [
      { text: 'Schema', status: 'completed' },
      { text: 'Log-in', status: 'in_progress' },
      { text: 'Settings', status: 'pending' },
    ],
    decisions: [
      { text: 'Tokens live in memory only', locked: true },
      { text: 'Perhaps a cookie later', locked: false },
    ],
    artifacts: [{ path: 'auth/guard.ts', change: 'created' }],
    next: ['Write the settings page'],
  });
  expect(openIn(s.frames.tree())).toEqual([
    's',
    '',
    'in_progress',
    [
      [
        'Log-in',
        'tokens are refreshed',
        'in_progress',
        [['Clock', 'survives a jump', 'planned', []]],
      ],
    ],
  ]);
});

test('what a person edited is told as theirs; goal and frames are as they were', async () => {
  const edited = printDocument(worked)
    .replace('- [ ] Perhaps a cookie later\n', '')
    .replace('- [ ] Write the settings page', '- [x] Write the settings page\n- [ ] Call Ada');
  const { s } = await recovered('s', edited);
  const { s: other } = await recovered('s', printDocument(worked));
  expect(s.state.goal).toEqual(other.state.goal);
  expect(s.frames.tree()).toEqual(other.frames.tree());
  const { content, ...first } = await s.entry('e1');
  expect(first).toMatchObject({ role: 'user', origin: 'machine' });
  expect(content).toContain((await other.entry('e1')).content);
  expect(content).toContain(`
Somebody edited the document by hand since. Goal and frames are as they were before that.

Added:

> - [x] Write the settings page
> - [ ] Call Ada

Taken out:

> - [ ] Perhaps a cookie later
> - [ ] Write the settings page`);
});

test('a file without a document is told as text, and is nothing else', async () => {
  const file =
    '# Monday\n\n### Decisions Made\n- [x] Never ask again\n\n### Action Items\n- [ ] Ship\n';
  const { s } = await recovered('s', file);
  expect(s.state.goal).toBeNull();
  expect(s.frames.tree().children).toEqual([]);
  const { content, ...first } = await s.entry('e1');
  expect(first).toMatchObject({ role: 'user', origin: 'machine' });
  expect(content).toContain('> # Monday\n> \n> ### Decisions Made\n> - [x] Never ask again');
});

test('the model is told, and what the document says can be found again', async () => {
  const { s } = await recovered('s', printDocument(worked));
  const { messages } = await s.assemble();
  const shown = messages.map(({ content }) => JSON.stringify(content)).join('\n');
  expect(shown).toContain(
    'We were working on Log-in, last completed Schema, next step is Write the settings page.',
  );
  expect(shown).toContain('Tokens live in memory only (locked)');
  expect(shown).toContain('The guard in checkExpiry was inverted (noted)');
  expect(shown).toContain('Does the mobile app share the session?');
  const open = /<recovered>.*?<\/recovered>/.exec(shown)?.[0] ?? '';
  expect(open).toContain('Settings');
  for (const finished of ['Schema\\n', 'turned round', 'no such host'])
    expect(open).not.toContain(finished);
  const [hit] = await s.recall('checkExpiry');
  expect(hit).toMatchObject({ entry: 'e1', role: 'user' });
  expect(await s.entry('e1')).toMatchObject({ origin: 'machine' });
});

test('with the documents gone, too, the page alone says where the work stood', async () => {
  const folder = await newLocation();
  const disk = await newDisk();
  const store = await openOver(disk.mount(), { clock: new SimulatedClock(), documents: folder });
  const first = await store.open('s', { window: 16_000 });
  await first.append({ role: 'user', content: 'Rename src/[old].ts to src/new.ts' });
  await first.append({ role: 'assistant', content: 'The file was renamed, its imports follow.' });
  await first.writeDocument();
  await store.close();
  await rm(join(folder, '1970-01-01.md'));
  const { s } = await opened('s');
  let line = '';
  s.on('session.recovered', (fact) => (line = fact.line));
  await s.recover({ from: folder });
  expect(line).toBe(
    'Recovered context: We were working on “Rename src/[old].ts to src/new.ts” (e1), last completed The file was renamed, its imports follow (e2), next step is what the user asks next; the last answer (e2) asks nothing.',
  );
  expect(s.state.goal?.description).toBe('Rename src/[old].ts to src/new.ts');
  expect((await s.entry('e1')).content).toContain('> # Now: s');
});

test('a second recovery from the same document adds nothing; one with a log of its own takes no document in', async () => {
  const { s } = await recovered('s', printDocument(worked));
  const before = s.frames.tree();
  await s.recover({ from: await memory(printDocument(worked)) });
  expect(s.state.entries).toBe(1);
  expect(s.frames.tree()).toEqual(before);
  const { s: other } = await opened('s');
  await other.append({ role: 'user', content: 'Hello' });
  await other.recover({ from: await memory(printDocument(worked)) });
  expect(other.state.entries).toBe(1);
  expect(other.frames.tree().children).toEqual([]);
});

test('where there is no room for all decisions, the locked ones stay longest', async () => {
  const many = Array.from({ length: 120 }, (_, n) => ({
    text: `Perhaps option number ${n} later on`,
    done: false,
  }));
  const crowded = { ...worked, decisions: [worked.decisions[0]!, ...many] };
  const disk = await newDisk();
  const store = await openOver(disk.mount(), { clock: new SimulatedClock() });
  const s = await store.open('s', { window: 4_000 });
  await s.recover({ from: await memory(printDocument(crowded)) });
  const { messages } = await s.assemble();
  const shown = messages.map(({ content }) => JSON.stringify(content)).join('\n');
  const goal = /<goal.*?<\/goal>/.exec(shown)?.[0] ?? '';
  expect(goal).toContain('Tokens live in memory only (locked)');
  expect(goal).not.toContain('option number 7 later');
});
