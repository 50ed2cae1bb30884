import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { textOf } from '../../src/core/messages/message.ts';
import { openStore, type Session } from '../../src/index.ts';

// Whatever the prompt names can be opened: entries, ranges, checkpoints and frames, in
// every message that is not an entry as it was said, in breadcrumbs and in the document.

const shown = /\b(?:e[1-9]\d*(?:\s?[–-]\s?e[1-9]\d*)?|[cf]\d+)\b/g;

/** The references that a session shows now. */
async function referencesOf(session: Session): Promise<ReadonlySet<string>> {
  const { messages } = await session.assemble();
  const made = messages.flatMap(({ kind, content }) => (kind === 'made' ? textOf(content) : []));
  const cleared = messages.flatMap(
    ({ content }) => textOf(content).match(/\[(?:cleared|shortened|…)[^\]]*\]/g) ?? [],
  );
  const crumbs = session.breadcrumbs().flatMap(({ entries }) => entries);
  const texts = [...made, ...cleared, ...crumbs, await session.document()];
  return new Set(texts.flatMap((text) => text.match(shown) ?? []));
}

test.each([4_000, 16_000])(
  'every reference in the prompt of a window of %i is opened by expand and recall',
  async (window) => {
    await using store = await openStore(':memory:', { durability: 'process' });
    await store.import('examples/notes-app.jsonl', { id: 'played', window });
    const session = await store.open('played');
    const recall = session.tools('all').find(({ name }) => name === 'recall')!;
    const log = await readFile('examples/notes-app.jsonl', 'utf8');
    const references = [...(await referencesOf(session))].filter(
      (one) => !log.includes(` ${one} `),
    );
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      const found = await session.expand(reference, { limit: 2 }).catch((error: Error) => error);
      expect([reference, found]).toEqual([reference, expect.any(Array)]);
    }
    for (const reference of references.slice(0, 40))
      expect((await recall.execute({ query: reference })).text).not.toMatch(/^[A-Z_]+: /);
  },
);
