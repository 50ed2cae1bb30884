import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { appendDocument } from '../../../src/engine/effects/documents/day-file.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { replayed } from '../replayed.ts';
import {
  foldDocuments,
  parseDocuments,
  type CheckpointDocument,
  type Message,
  type Session,
  type SessionFact,
  type SessionOptions,
} from '../../../src/index.ts';
import { outboxKey } from '../../../src/store/key.ts';
import type { Change, RecordStore } from '../../../src/store/store.ts';
import { newLocation } from '../../store/folder.ts';
import { newDisk, type Disk } from '../disk.ts';
import { draws } from '../../draws.ts';

// Which documents a session writes, what stands in them, and that each stands
// once in its file whatever happens in between.

const day = '1970-01-01.md';

interface Stage {
  readonly disk: Disk;
  readonly folder: string;
  readonly session: Session;
  readonly facts: SessionFact[];
  /** The documents in the file of the day. */
  documents(): Promise<readonly CheckpointDocument[]>;
  close(): Promise<void>;
}

async function stage(
  given: { disk?: Disk; folder?: string; documents?: boolean } & Partial<SessionOptions> = {},
): Promise<Stage> {
  const {
    disk = await newDisk(),
    folder = await newLocation(),
    documents = true,
    ...options
  } = given;
  const clock = new SimulatedClock();
  const store = await openOver(disk.mount(), { clock, documents: documents && folder });
  const session = await store.open('s', { window: 16_000, ...options });
  const facts: SessionFact[] = [];
  session.on('*', (fact) => facts.push(fact));
  return {
    disk,
    folder,
    session,
    facts,
    async documents() {
      await session.settled();
      return documentsIn(folder);
    },
    close: () => store.close(),
  };
}

async function documentsIn(folder: string): Promise<readonly CheckpointDocument[]> {
  const text = await readFile(join(folder, day), 'utf8').catch(() => '');
  return parseDocuments(text, '1970-01-01');
}

const reasons = (documents: readonly CheckpointDocument[]): readonly string[] =>
  documents.map(({ reason }) => reason);
const code = (wanted: string) => expect.objectContaining({ code: wanted }) as Error;
const user = (content: string): Message => ({ role: 'user', content });
const says = (content: string): Message => ({ role: 'assistant', content });
const calls = (name: string, given: Record<string, unknown>): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ name, arguments: given }],
});

test('without a folder nothing is written, and no fact speaks of documents', async () => {
  const { session, facts, folder } = await stage({ documents: false });
  await session.push({ title: 'Parser' });
  await session.pop({ status: 'completed', results: 'Done' });
  await session.settled();
  expect(facts.filter(({ type }) => type.startsWith('document'))).toEqual([]);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
  await expect(session.writeDocument()).rejects.toThrow(code('DOCUMENTS_OFF'));
});

test('push and pop write where the session stands', async () => {
  const { session, documents } = await stage();
  await session.goal.set({
    description: 'Ship the notes app',
    milestones: [{ text: 'Parser', status: 'completed' }],
    next: ['Write the printer'],
  });
  await session.append([user('Build the app'), calls('write', { path: 'src/parse.ts' })]);
  await session.push({ title: 'Printer', criteria: 'prints what was parsed' });
  await session.append(user('Use tabs, never spaces'));
  await session.pop({
    status: 'completed',
    results: 'The printer works',
    artifacts: ['src/print.ts'],
    decisions: ['Tabs it is'],
  });
  const [push, pop] = await documents();
  expect(push).toMatchObject({
    session: 's',
    reason: 'push',
    messages: 2,
    topic: 'Printer: prints what was parsed',
    goal: 'Ship the notes app',
    actions: [
      { text: 'Parser', done: true, kind: 'milestone' },
      {
        text: 'Printer',
        done: false,
        kind: 'frame',
        detail: 'prints what was parsed',
        frame: 'f1',
        parent: 'f0',
      },
      { text: 'Write the printer', done: false },
    ],
    files: [{ path: 'src/parse.ts', change: 'changed (e2)' }],
  });
  expect(pop).toMatchObject({ reason: 'pop', messages: 3 });
  expect(pop?.decisions).toContainEqual({ text: 'Tabs it is', done: true, kind: 'noted' });
  expect(pop?.actions).toContainEqual({
    text: 'Printer',
    done: true,
    kind: 'frame, completed',
    detail: 'The printer works',
    frame: 'f1',
    parent: 'f0',
  });
  expect(pop?.decisions).toContainEqual({
    text: 'Use tabs, never spaces',
    done: true,
    kind: 'directive',
    entry: 'e3',
  });
  expect(pop?.files.map(({ path }) => path)).toEqual(['src/print.ts']);
  expect(pop).toMatchObject({ completed: 'Parser', next: 'Write the printer' });
});

test('what a person forbade stands in it, though the message is in view', async () => {
  const { session, close } = await stage();
  const said = 'Never delete input.csv. The port is 4711.';
  await session.append({ role: 'user', content: said });
  await session.append({ role: 'user', content: `Do not touch a.ts. ${'It is so. '.repeat(60)}` });
  const [found] = parseDocuments(await session.document());
  expect(found?.decisions).toEqual([
    { text: said, done: true, kind: 'directive', entry: 'e1' },
    { text: 'Do not touch a.ts.', done: true, kind: 'directive', entry: 'e2' },
  ]);
  await close();
});

test('a file stands in it once, under the whole path that was said, in the window or out of it', async () => {
  const { session, close } = await stage({ window: 2_000 });
  const files = async (): Promise<readonly string[]> =>
    parseDocuments(await session.document())[0]!.files.map(({ path }) => path);
  await session.append({ role: 'user', content: 'Write the routes' });
  await session.append([
    {
      role: 'assistant',
      content: 'In auth/routes.ts.',
      toolCalls: [{ id: 'c1', name: 'write', arguments: { path: 'src/auth/routes.ts' } }],
    },
    { role: 'tool', toolCallId: 'c1', content: 'ok' },
  ]);
  expect(await files()).toEqual(['src/auth/routes.ts']);
  while (session.state.compressions === 0)
    await session.append({ role: 'assistant', content: 'It goes on and on. '.repeat(20) });
  expect(session.where('e2').place).toBe('checkpoint');
  expect(await files()).toEqual(['src/auth/routes.ts']);
  await close();
});

test('a section that a person added comes back in the first entry, as theirs', async () => {
  const { session, folder, disk, close } = await stage();
  await session.goal.set('Ship it');
  const { document } = await session.writeDocument();
  await close();
  await writeFile(join(folder, day), `${document}\n### Für später\nAsk Ann about the port.\n`);
  const store = await openOver(disk.mount(), { clock: new SimulatedClock(), documents: false });
  const again = await store.open('t', { window: 16_000 });
  await again.recover({ from: folder });
  expect((await again.entry('e1')).content).toContain(
    '> ### Für später\n> Ask Ann about the port.',
  );
  await store.close();
});

test('ten exchanges write one, and so do twenty messages of a long turn', async () => {
  const { session, documents } = await stage();
  for (let turn = 1; turn <= 21; turn += 1) await session.append(user(`Turn ${turn}`));
  for (let n = 0; n < 45; n += 1) await session.append(says(`Reading part ${n}.`));
  expect((await documents()).map(({ reason, messages }) => [reason, messages])).toEqual([
    ['exchanges', 10],
    ['exchanges', 20],
    ['exchanges', 40],
    ['exchanges', 60],
  ]);
});

test('a call that runs long writes one before its result, unless one was written just now', async () => {
  const { session, documents } = await stage({ longRunning: ['^deploy', 'npm ci'] });
  await session.append([user('Set it up'), calls('bash', { command: 'npm ci' })]);
  await session.append(calls('deploy', { to: 'staging' }));
  for (let n = 0; n < 8; n += 1) await session.append(says(`Reading part ${n}.`));
  await session.append(calls('bash', { command: 'npm test' }));
  await session.append(calls('deploy', { to: 'staging' }));
  expect((await documents()).map(({ reason, messages }) => [reason, messages])).toEqual([
    ['long', 2],
    ['long', 13],
  ]);
});

test('a document tells what changed since the last one, and no more', async () => {
  const { session, documents } = await stage();
  const goal = {
    description: 'Ship the notes app',
    next: ['Write the parser', 'Write the printer'],
  };
  await session.goal.set({ ...goal, decisions: [{ text: 'Tabs', locked: false }] });
  await session.append([
    user('Never touch data/legacy.csv. Begin.'),
    calls('write', { path: 'a.ts' }),
  ]);
  await session.writeDocument();
  await session.goal.update({
    next: ['Write the printer'],
    decisions: [{ text: 'Tabs', locked: true }],
  });
  await session.append(calls('write', { path: 'b.ts' }));
  await session.writeDocument();
  const [first, second, found] = (await documents()) as CheckpointDocument[];
  expect(first).toMatchObject({ after: '', reason: 'command' });
  expect(second).toMatchObject({
    after: first!.id,
    reason: 'decision',
    decisions: [{ text: 'Tabs', done: true }],
    actions: [{ text: 'Write the parser', done: false, kind: 'withdrawn' }],
  });
  expect(found).toMatchObject({ after: second!.id, decisions: [], actions: [] });
  expect(found!.files.map(({ path }) => path)).toEqual(['b.ts']);
  const whole = foldDocuments(await documents())!;
  expect(whole.decisions).toEqual([
    { text: 'Tabs', done: true },
    {
      text: 'Never touch data/legacy.csv. Begin.',
      done: true,
      kind: 'directive',
      entry: 'e1',
    },
  ]);
  expect(whole.actions).toEqual([{ text: 'Write the printer', done: false }]);
  expect(whole.files.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
});

test('a destructive call writes one before its result; a harmless one does not', async () => {
  const { session, documents } = await stage();
  await session.append([user('Clean up'), calls('bash', { command: 'ls -la build' })]);
  expect(await documents()).toEqual([]);
  await session.append(calls('bash', { command: 'rm -rf build && npm run build' }));
  const [found, ...rest] = await documents();
  expect(rest).toEqual([]);
  expect(found).toMatchObject({ reason: 'destructive', messages: 3 });
  expect(found?.status).toContain('Waiting for the results of: bash');
});

test('what counts as destructive can be told, and is checked', async () => {
  const { session, documents } = await stage();
  await session.configure({ destructive: ['^deploy', /fire\w+/] });
  await session.append(calls('bash', { command: 'rm -rf /' }));
  await session.append(calls('Deploy', { to: 'production' }));
  await session.append(calls('send', { what: 'fireworks' }));
  expect(reasons(await documents())).toEqual(['destructive', 'destructive']);
  await session.configure({ destructive: [] });
  await session.append(calls('Deploy', { to: 'production' }));
  await session.configure({ destructive: null });
  await session.append(calls('bash', { command: 'git reset --hard' }));
  expect(reasons(await documents())).toHaveLength(3);
  for (const destructive of [['('], [''], 'rm', [7]])
    await expect(session.configure({ destructive: destructive as string[] })).rejects.toThrow(
      code('OPTION_INVALID'),
    );
});

test('a locked decision writes one, by a marker or by command, and only once', async () => {
  const { session, documents } = await stage();
  await session.goal.set('Ship it');
  const locked: Message = { role: 'assistant', content: '[DECISION] Tabs - LOCKED' };
  await session.append([locked, locked]);
  await session.append(locked);
  await session.goal.update({
    decisions: [
      { text: 'Tabs', locked: true },
      { text: 'ESM only', locked: true },
    ],
  });
  expect(reasons(await documents())).toEqual(['decision', 'decision']);
  expect((await documents())[1]?.decisions).toEqual([{ text: 'ESM only', done: true }]);
});

test('a decision that a person takes back is withdrawn from what older documents tell', async () => {
  const { session, documents } = await stage();
  await session.append([user('Build it'), user('From now on the rows are sorted by name.')]);
  await session.writeDocument();
  await session.append(user('can you revert that?'));
  await session.writeDocument();
  await session.append(user('thanks'));
  await session.writeDocument();
  const all = await documents();
  const text = 'From now on the rows are sorted by name.';
  expect(all.map(({ decisions }) => decisions)).toEqual([
    [{ text, done: true, kind: 'directive', entry: 'e2' }],
    [{ text, done: false, kind: 'directive, withdrawn', entry: 'e2' }],
    [],
  ]);
  expect(foldDocuments(all)?.decisions).toEqual([]);
});

test('a short document still has room for what was decided', async () => {
  const { session, documents } = await stage();
  const rules = ['rows', 'cells', 'heads', 'feet'].map(
    (name) => `The ${name} of the table must never be read before the store of the host is open.`,
  );
  await session.append(rules.map(user));
  await session.push({ title: 'Tables' });
  expect((await documents())[0]?.decisions.map(({ text }) => text)).toEqual(rules);
});

test('half of what is available writes one, the trigger a pre-truncation summary of what it is about to shorten', async () => {
  const { session, facts, documents } = await stage({ window: 2_000 });
  for (let n = 0; session.state.compressions === 0; n += 1)
    await session.append({
      role: 'assistant',
      content: `I decided to keep src/step${n}.ts, because checkStep${n} needs it. ${'It is so. '.repeat(12)}`,
    });
  const [half, truncation] = await documents();
  expect(half).toMatchObject({ reason: 'half', note: '' });
  expect(truncation).toMatchObject({
    reason: 'truncation',
    note: 'This is a pre-truncation summary.',
  });
  expect(truncation?.decisions.length).toBeGreaterThan(0);
  const counts = facts.filter(({ type }) => type === 'document.requested');
  expect(counts.map((fact) => 'messages' in fact && fact.messages)).toEqual([
    half?.messages,
    truncation?.messages,
  ]);
});

test('by command the path and the document come back; without writing, only the document', async () => {
  const { session, folder, documents } = await stage();
  await session.append(user('Hello'));
  const now = await session.document();
  expect(parseDocuments(now)[0]).toMatchObject({ goal: 'Hello', messages: 1 });
  expect(await documents()).toEqual([]);
  const { path, document } = await session.writeDocument();
  expect(path).toBe(join(folder, day));
  expect(await readFile(path, 'utf8')).toBe(document);
  expect(reasons(await documents())).toEqual(['command']);
});

test('a folder that cannot be written is told and given up; the session goes on', async () => {
  const folder = await newLocation();
  await writeFile(folder, 'not a folder');
  const { session, facts } = await stage({ folder });
  await session.push({ title: 'Parser' });
  await session.settled();
  expect(facts.findLast(({ type }) => type === 'document.failed')).toMatchObject({
    reason: 'ENOTDIR',
  });
  await expect(session.writeDocument()).rejects.toThrow(code('DOCUMENT_FAILED'));
  await session.append(user('Still here'));
});

test('a store without the folder writes none, and none when the folder is back', async () => {
  const first = await stage();
  await first.session.push({ title: 'Parser' });
  expect(await first.documents()).toHaveLength(1);
  await first.close();
  const { disk, folder } = first;
  const second = await stage({ disk, folder, documents: false });
  expect(second.session.state.seq).toBe(first.session.state.seq);
  await second.session.pop({ status: 'completed', results: 'Done' });
  await second.close();
  const third = await stage({ disk, folder });
  await third.session.push({ title: 'Printer' });
  expect(reasons(await third.documents())).toEqual(['push', 'push']);
});

/** Rows whose writing fails for good once a change matches. */
function failing(inner: RecordStore, isLast: (change: Change) => boolean): RecordStore {
  let isDead = false;
  return {
    ...inner,
    location: inner.location,
    async commit(changes) {
      isDead ||= changes.some(isLast);
      if (isDead) throw new Error('The power is gone');
      await inner.commit(changes);
    },
  };
}

const isDone = ({ kind, type }: Change): boolean => kind === 'outbox' && type === 'del';

test('a crash between file and record leaves the document once, with one record of it', async () => {
  const disk = await newDisk();
  const folder = await newLocation();
  const store = await openOver(failing(disk.mount(), isDone), {
    clock: new SimulatedClock(),
    documents: folder,
  });
  const session = await store.open('s', { window: 16_000 });
  await session.push({ title: 'Parser' });
  await session.settled().catch(() => undefined);
  expect(await documentsIn(folder)).toHaveLength(1);
  await store.close();

  const again = await stage({ disk, folder });
  expect(await again.documents()).toHaveLength(1);
  const facts: SessionFact[] = [];
  const { seq } = again.session.state;
  for await (const fact of again.session.events()) {
    facts.push(fact);
    if (fact.seq === seq) break;
  }
  expect(facts.filter(({ type }) => type === 'document.written')).toHaveLength(1);
  expect(again.session.state.pending).toEqual([]);
});

test('a crash between record and file leaves a document that is written when the store is opened', async () => {
  const disk = await newDisk();
  const folder = await newLocation();
  const first = await stage({ disk, folder: join(folder, 'elsewhere') });
  await first.session.push({ title: 'Parser' });
  await first.session.settled();
  await first.close();
  // As if it had ended right after the step: the row is there, the record of the file is not.
  const rows = disk.mount();
  const undone: Change[] = [];
  for await (const [key, value] of rows.range('journal', {}))
    if (JSON.stringify(value).includes('document.written'))
      undone.push({ type: 'del', kind: 'journal', key });
  undone.push({
    type: 'put',
    kind: 'outbox',
    key: outboxKey('s', 'document 3'),
    value: 'document',
  });
  await rows.commit(undone);
  const store = await openOver(disk.mount(), { clock: new SimulatedClock(), documents: folder });
  await store.close();
  expect((await documentsIn(folder)).map(({ id }) => id)).toEqual(['s/3']);
});

test('what was decided on is decided again from the journal, with the same documents', async () => {
  const { session, disk, documents } = await stage({ window: 2_000 });
  for (let n = 0; n < 60; n += 1)
    await session.append([
      user(`Look at src/a${n}.ts`),
      { role: 'assistant', content: 'Done, next.' },
    ]);
  expect((await documents()).length).toBeGreaterThan(4);
  expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
});

test('several writers of one file lose nothing of each other', async () => {
  const path = join(await newLocation(), day);
  const printed = (n: number): string =>
    `## Checkpoint [10:00] — Message #${n}\n\n<!-- flamestack {"id":"s/${n}","session":"s","messages":${n}} -->\n`;
  await Promise.all([1, 2, 3].map((n) => appendDocument(path, printed(n))));
  const found = parseDocuments(await readFile(path, 'utf8')).map(({ messages }) => messages);
  expect(found.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
});

test('a completed session can be written down, too', async () => {
  const { session, documents } = await stage();
  await session.append([user('Build it'), { role: 'assistant', content: 'Built.' }]);
  await session.pop({ status: 'completed', results: 'Built and tested', artifacts: ['a.ts'] });
  await session.writeDocument();
  const found = await documents();
  expect(reasons(found)).toEqual(['pop', 'command']);
  expect(found[1]).toMatchObject({
    topic: '“Build it” (e1)',
    goal: 'Build it',
    asked: 'e1',
    messages: 2,
  });
});

test('a document stands once in a file, however often it is appended, and nothing else changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 8 }), async (order) => {
      const path = join(await newLocation(), day);
      await mkdir(join(path, '..'), { recursive: true });
      const notes = '# My notes\r\n\r\nBuy milk\r\n';
      await writeFile(path, notes, { mode: 0o640 });
      const printed = (n: number): string =>
        `## Checkpoint [10:0${n}] — Message #${n}\n\n<!-- flamestack {"id":"s/${n}","session":"s","messages":${n}} -->\n`;
      for (const n of order) await appendDocument(path, printed(n));
      const text = await readFile(path, 'utf8');
      expect(text.startsWith(notes.trimEnd())).toBe(true);
      const found = parseDocuments(text).filter(({ id }) => id !== '');
      expect(found.map(({ messages }) => messages)).toEqual([...new Set(order)]);
      expect(await readdir(join(path, '..'))).toEqual([day]);
    }),
    { numRuns: draws(100) },
  );
});
