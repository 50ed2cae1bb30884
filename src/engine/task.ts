import { ordinal } from '../core/id.ts';
import { stretchesOf } from '../core/run.ts';
import { frameOf } from '../core/tree.ts';
import type { LogEntry, SummaryTask } from '../llm/summarizer.ts';
import { textKey } from '../store/key.ts';
import type { Store } from '../store/store.ts';
import type { Live } from './live.ts';
import { readLog } from './log.ts';
import type { Effect } from '../core/phase.ts';

/** What a summarizer is given for an effect: texts to shorten, or the entries of the log to summarize. */
export async function taskOf(store: Store, live: Live, effect: Effect): Promise<SummaryTask> {
  const { purpose, target, strict, focus, texts } = effect;
  const task = { purpose, goal: live.state.goal, target, strict, focus };
  if (texts === undefined) return { ...task, entries: await entriesOf(store, live, effect) };
  const keys = texts.map((id) => textKey(live.id, ordinal(id)));
  return { ...task, entries: [], text: (await store.getMany('text', keys)).join('\n\n') };
}

async function entriesOf(store: Store, live: Live, effect: Effect): Promise<LogEntry[]> {
  const frame = frameOf(live.state.frames, effect.frame);
  const entries: LogEntry[] = [];
  const range = { after: ordinal(effect.from) - 1, before: ordinal(effect.to) + 1 };
  const within = stretchesOf(live.state.runs, frame);
  for await (const entry of readLog(store, live.id, { ...range, within })) entries.push(entry);
  return entries;
}
