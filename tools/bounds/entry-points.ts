import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesOfPage, readEdit } from '../../src/core/documents/page-edit.ts';
import { pageEdits, readPage } from '../../src/core/documents/page-mark.ts';
import { parseDocuments } from '../../src/core/documents/parse-document.ts';
import type { Message } from '../../src/core/messages/message.ts';
import { countTokens, openStore, type Session } from '../../src/index.ts';
import { clean, cleanLine } from '../../src/cli/paper/clean.ts';
import { openFragments } from '../../src/import/source/fragments.ts';

/** Something that reads a text. */
export interface Reading {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

/** Ways in which a text gets into a session. */
const carriers: Readonly<Record<string, (text: string) => readonly Message[]>> = {
  'user text': (content) => [{ role: 'user', content }],
  'machine text': (content) => [{ role: 'user', content, origin: 'machine' }],
  'an answer': (content) => [{ role: 'assistant', content }],
  'an error of a command': (content) => [
    called({ command: 'npm test' }),
    { role: 'tool', toolCallId: 'c', name: 'bash', content, isError: true },
  ],
  'a file read': (content) => [
    called({ path: 'src/a.ts' }, 'read'),
    { role: 'tool', toolCallId: 'c', name: 'read', content },
  ],
  'a command': (command) => [
    called({ command }),
    { role: 'tool', toolCallId: 'c', name: 'bash', content: 'ok' },
  ],
  'an edit': (text) => [
    called({ path: 'src/a.ts', old: text.slice(0, text.length / 2), new: text }, 'edit'),
    { role: 'tool', toolCallId: 'c', name: 'edit', content: 'ok' },
  ],
};

const called = (given: Record<string, unknown>, name = 'bash'): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'c', name, arguments: given }],
});

async function withSession(use: (session: Session) => Promise<unknown>): Promise<void> {
  await using store = await openStore(':memory:');
  await use(await store.open('s', { window: 8_192 }));
}

/** Everything that a session does with a text. */
const inSession = (messages: readonly Message[]): Promise<void> =>
  withSession(async (session) => {
    for (const message of messages) await session.append(message);
    for (let n = 0; n < 12; n += 1) {
      await session.append({ role: 'user', content: `Next, part ${n}.` });
      await session.append({ role: 'assistant', content: `Part ${n} is done. `.repeat(40) });
    }
    await session.compress();
    await session.assemble();
    await session.document();
    const recall = session.tools('all').find(({ name }) => name === 'recall')!;
    await recall.execute({ query: 'e1-e3' });
    await session.recall('done part');
  });

/** Session files with a text in them, by format. */
const files: Readonly<Record<string, (text: string) => string>> = {
  openai: (content) =>
    JSON.stringify({
      messages: [
        { role: 'user', content },
        { role: 'assistant', content },
      ],
    }),
  'claude-code': (content) =>
    ['user', 'assistant']
      .map((type, n) =>
        JSON.stringify({
          type,
          uuid: `u${n}`,
          parentUuid: n === 0 ? null : 'u0',
          sessionId: 's',
          isSidechain: false,
          timestamp: '2026-01-01T00:00:00Z',
          message: { role: type, content: [{ type: 'text', text: content }] },
        }),
      )
      .join('\n'),
  codex: (text) =>
    [
      { type: 'session_meta', payload: { id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/' } },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      },
    ]
      .map((line) => JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', ...line }))
      .join('\n'),
  pi: (text) =>
    [
      { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/' },
      {
        type: 'message',
        id: '1',
        parentId: null,
        timestamp: '2026-01-01T00:00:00Z',
        message: { role: 'user', content: [{ type: 'text', text }] },
      },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  flamestack: (content) => JSON.stringify({ type: 'append', message: { role: 'user', content } }),
  'SWE-agent': (content) =>
    JSON.stringify({
      trajectory: [],
      history: [
        { role: 'user', content },
        { role: 'assistant', content },
      ],
    }),
  'the file itself': (text) => text,
  'a document that goes on': (text) => `{"messages":[{"role":"user","content":"a"}],"x":${text}`,
};

async function imported(text: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bounds-'));
  try {
    await using store = await openStore(':memory:');
    await writeFile(join(folder, 'session.jsonl'), text);
    await store.import(join(folder, 'session.jsonl'), { window: 8_192, id: 's' });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Lines of a document with a text in them. */
const lines: Readonly<Record<string, (text: string) => string>> = {
  item: (text) => `- [ ] ${text} (e1)`,
  'item of a kind': (text) => `- [x] **${text}** (noted, e1)`,
  heading: (text) => `### ${text}`,
  row: (text) => `| action | \`${text}\` | ${text} |`,
  text: (text) => `**Next:** ${text}`,
  comment: (text) => `<!-- flamestack ${text} -->`,
  'comment that is not closed': (text) => `<!-- flamestack {"id":"${text}`,
};

/** A document with a line in every section of it. */
const documentWith = (line: string): string =>
  [
    '## Checkpoint [18:46] — Message #246',
    ...[
      'Session Context',
      'Decisions Made',
      'Action Items',
      'Open Questions',
      'Current Status',
      'Breadcrumbs',
    ].map((section) => `### ${section}\n${line}\n`),
    '<!-- flamestack {"id":"a/1"} -->',
  ].join('\n');

/** The entry points of the package. */
export const entryPoints: readonly Reading[] = [
  { name: 'count o200k', read: (text) => countTokens(text) },
  { name: 'count cl100k', read: (text) => countTokens(text, 'cl100k_base') },
  { name: 'clean', read: clean },
  { name: 'cleanLine', read: cleanLine },
  { name: 'fragments', read: (text) => openFragments().push(text, 1) },
  ...Object.entries(lines).map(([name, make]) => ({
    name: `document: ${name}`,
    read: (text: string) => {
      const page = documentWith(make(text));
      return [
        parseDocuments(page),
        readPage(page),
        readEdit(page),
        linesOfPage(page),
        pageEdits('', page),
      ];
    },
  })),
  {
    name: 'recall query',
    read: (text) =>
      withSession(async (session) => {
        await session.append({ role: 'user', content: 'Fix a.ts, e1' });
        await session.recall(text);
      }),
  },
  {
    name: 'recall tool',
    read: (text) =>
      withSession(async (session) => {
        await session.append({ role: 'user', content: 'Fix a.ts, e1' });
        await session
          .tools('all')
          .find(({ name }) => name === 'recall')!
          .execute({ query: text });
      }),
  },
  {
    name: 'expand',
    read: (text) =>
      withSession(async (session) => {
        await session.append({ role: 'user', content: 'Fix a.ts, e1' });
        await session.expand(text);
      }),
  },
  ...Object.entries(carriers).map(([name, make]) => ({
    name: `session: ${name}`,
    read: (text: string) => inSession(make(text)),
  })),
  ...Object.entries(files).map(([name, make]) => ({
    name: `import: ${name}`,
    read: (text: string) => imported(make(text)),
  })),
];
