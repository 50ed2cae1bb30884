import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { textOf } from '../../src/core/messages/message.ts';
import { openStore } from '../../src/index.ts';
import { newFolder } from '../store/folder.ts';

// What a model sees changes when somebody means it to: the prompts of the shipped example and of a session that
// has many ways to say things, their pages and what is recalled of them are those of the files beside, byte for byte. Where a change is meant,
// `npx vitest run test/promise/prompts.test.ts -u` writes them anew, and the difference is read before it is kept.

const phrases = 'test/promise/prompts/phrases.jsonl';
const example = 'examples/notes-app.jsonl';
const queries = [
  'port',
  'which storage was chosen, and why?',
  'src/routes/notes.ts',
  'rate limit 429',
  'refresh token reuse',
  '"better-sqlite3"',
  'error in migration',
  'nte_',
  'what did the user forbid?',
];

test.each([
  [phrases, 2_000],
  [phrases, 3_800],
  [example, 8_000],
  [example, 24_000],
])('prompts of %s in a window of %i are as they were', async (file, window) => {
  const folder = await newFolder();
  const store = await openStore(':memory:', { clock: new SimulatedClock(), documents: folder });
  try {
    const digests: string[] = [];
    let last = '';
    await store.import(file, {
      id: 'notes',
      window,
      onProgress: async ({ appended, step }) => {
        if (step !== 'append' || appended % 5 !== 0) return;
        const { messages, budget } = await (await store.open('notes')).assemble();
        last = messages.map(({ role, content }) => `--- ${role}\n${textOf(content)}`).join('\n');
        const digest = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
        digests.push(`e${appended} ${budget.total} ${digest.slice(0, 12)}`);
      },
    });
    const session = await store.open('notes');
    await session.writeDocument();
    await session.settled();
    const found: string[] = [];
    for (const query of queries) {
      const hits = await session.recall(query, { tokens: 300 });
      found.push(`--- ${query}`, ...hits.map(({ entry, text }) => `${entry}: ${text}`));
    }
    const page = await readFile(join(folder, 'NOW.md'), 'utf8');
    await expect([...digests, last, ...found, page].join('\n')).toMatchFileSnapshot(
      fileURLToPath(new URL(`prompts/${basename(file, '.jsonl')}-${window}.txt`, import.meta.url)),
    );
  } finally {
    await store.close();
  }
});
