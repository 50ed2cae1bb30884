// pi: what its AgentSession calls for each message, without the user interface. Its compaction
// functions are no part of its public entry, so they are reached by their files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { keep, summary, trigger, window } from '../budget.mjs';

const core = new URL('../node_modules/@earendil-works/pi-coding-agent/dist/core/', import.meta.url);
const { SessionManager } = await import(new URL('session-manager.js', core).href);
const { estimateProjectedContextTokens, estimateTokens, prepareCompaction, shouldCompact } =
  await import(new URL('compaction/compaction.js', core).href);

const settings = { enabled: true, reserveTokens: window - trigger, keepRecentTokens: keep };
const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

function toPi(message) {
  const timestamp = Date.now();
  const text = { type: 'text', text: message.content };
  if (message.role === 'user') return { role: 'user', content: [text], timestamp };
  if (message.role === 'tool') {
    const { toolCallId, name: toolName } = message;
    return { role: 'toolResult', toolCallId, toolName, content: [text], isError: false, timestamp };
  }
  const calls = (message.toolCalls ?? []).map((call) => ({ type: 'toolCall', ...call }));
  return {
    role: 'assistant',
    content: [text, ...calls],
    api: 'openai-completions',
    provider: 'ollama',
    model: 'fake',
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost },
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    timestamp,
  };
}

function driver(manager) {
  let context = 0;
  const estimate = (projection) =>
    estimateProjectedContextTokens(projection, manager.getBranch()).tokens;
  return {
    append(message) {
      const entry = toPi(message);
      if (entry.role === 'assistant') {
        const output = estimateTokens(entry);
        entry.usage = { ...entry.usage, input: context, output, totalTokens: context + output };
      }
      manager.appendMessage(entry);
    },
    prompt() {
      let projection = manager.buildSessionProjection();
      context = estimate(projection);
      if (!shouldCompact(context, window, settings)) return projection.messages;
      const prepared = prepareCompaction(manager.getBranch(), settings);
      if (prepared === undefined) return projection.messages;
      manager.appendCompaction(summary, prepared.firstKeptEntryId, prepared.tokensBefore);
      projection = manager.buildSessionProjection();
      context = estimate(projection);
      return projection.messages;
    },
    close() {},
  };
}

export const open = async (folder) => driver(SessionManager.create(folder, folder));

export async function reopen(folder) {
  const file = readdirSync(folder).find((name) => name.endsWith('.jsonl'));
  return driver(SessionManager.open(join(folder, file), folder));
}
