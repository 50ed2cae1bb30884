// Mastra: one saveMessages for each message; before the model recall() within the window by its own
// token estimate. It does not compress: old messages fall out.
import { join } from 'node:path';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { keep, trigger } from '../budget.mjs';

const begin = Date.UTC(2026, 0, 1);
const ids = { threadId: 'thread', resourceId: 'resource' };

async function driver(folder, isNew) {
  const storage = new LibSQLStore({ id: 'bench', url: `file:${join(folder, 'mastra.db')}` });
  await storage.init?.();
  const memory = new Memory({
    storage,
    options: {
      messageHistory: { maxTokens: trigger, atMaxRemoveTokens: trigger - keep },
      semanticRecall: false,
      workingMemory: { enabled: false },
      generateTitle: false,
    },
  });
  if (isNew) {
    const at = new Date(begin);
    const thread = { id: ids.threadId, resourceId: ids.resourceId, title: 'bench', metadata: {} };
    await memory.saveThread({ thread: { ...thread, createdAt: at, updatedAt: at } });
  }
  return {
    append: ({ role, content }, index) =>
      memory.saveMessages({
        messages: [
          {
            id: `m${index}`,
            ...ids,
            role: role === 'user' ? 'user' : 'assistant',
            type: 'text',
            createdAt: new Date(begin + index * 1_000),
            content: { format: 2, parts: [{ type: 'text', text: content }] },
          },
        ],
      }),
    prompt: async () => (await memory.recall(ids)).messages,
    close() {},
  };
}

export const open = (folder) => driver(folder, true);
export const reopen = (folder) => driver(folder, false);
