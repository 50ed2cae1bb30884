import fc from 'fast-check';
import { spansOf, type SessionRecord } from '../../../src/cli/export/session-record.ts';
import type { LogEntry } from '../../../src/index.ts';
import { addStep, emptyHistory } from '../../../src/viewer/page/session/model/history.ts';
import type { News } from '../../../src/viewer/page/session/model/wire.ts';

/** What happens in a made session: a frame is entered, left, left for later, planned, given up before it began; somebody speaks; a compression ends. */
type Act =
  | { readonly act: 'push' | 'pop' | 'block' | 'plan' | 'drop' | 'compress' }
  | {
      readonly act: 'say';
      readonly role: 'user' | 'assistant' | 'tool';
      /** Milliseconds since the entry before; below 0 where another ran at once. */
      readonly after: number;
      readonly tokens: number;
    };

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        act: fc.constantFrom('push', 'pop', 'block', 'plan', 'drop', 'compress'),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        act: fc.constant('say' as const),
        role: fc.constantFrom('user', 'assistant', 'tool'),
        after: fc.integer({ min: -600, max: 600 }),
        tokens: fc.nat(500),
      }),
    },
  ) as fc.Arbitrary<Act>,
  { maxLength: 60, size: 'max' },
);

/** Sessions of any shape, with times that may go back. */
export const toldSessions: fc.Arbitrary<SessionRecord> = acts.map(toldOf);

/** The session in which this happens. */
export function toldOf(happened: readonly Act[]): SessionRecord {
  const history = emptyHistory();
  const log: LogEntry[] = [];
  const path = ['f0'];
  const planned: (readonly [frame: string, parent: string])[] = [];
  let [seq, at, frames, said] = [0, 1_000_000, 0, 0];
  const step = (news: News): void => {
    seq += 1;
    const sizes = [10, 0, 0, 0, 0, 0, 0, said % 900];
    const frame = path.at(-1)!;
    addStep(history, {
      seq,
      frame,
      at,
      written: at,
      turn: 1,
      epoch: 1,
      said,
      sizes,
      limit: 1_000,
      due: 800,
      news: [news],
    });
  };
  const frameNews = (frame: string, parent: string | null, status: string): News => ({
    type: 'frame',
    frame,
    parent,
    title: `Frame ${frame}`,
    status,
  });
  step(frameNews('f0', null, 'in_progress'));
  for (const one of happened) {
    const frame = path.at(-1)!;
    if (one.act === 'push') {
      frames += 1;
      path.push(`f${frames}`);
      step(frameNews(`f${frames}`, frame, 'in_progress'));
    } else if (one.act === 'plan') {
      frames += 1;
      planned.push([`f${frames}`, frame]);
      step(frameNews(`f${frames}`, frame, 'planned'));
    } else if (one.act === 'drop') {
      const dropped = planned.pop();
      if (dropped !== undefined) step(frameNews(...dropped, 'invalidated'));
    } else if (one.act === 'compress')
      step({
        type: 'compressed',
        frame,
        checkpoint: 'c1',
        from: 'e1',
        to: 'e2',
        before: 900,
        after: 300,
        names: 5,
        kept: 4,
        by: 'summarizer',
      });
    else if (one.act === 'say') {
      const { role, tokens } = one;
      at += one.after;
      said += tokens;
      const id = `e${log.length + 1}`;
      const called = role === 'tool' ? { name: 'read' } : {};
      log.push({ id, frame, at, tokens, role, content: `said ${id}`, ...called });
      const human = role === 'user';
      step({ type: 'entry', entry: id, frame, role, human, at, tokens, text: `said ${id}` });
    } else if (path.length > 1) {
      path.pop();
      const status = one.act === 'pop' ? 'completed' : 'blocked';
      step(frameNews(frame, path.at(-1)!, status));
    }
  }
  const head = {
    session: 's',
    title: 'Made',
    place: '',
    window: 1_176,
    began: 1_000_000,
    last: 1,
    live: false,
  };
  return { head, history, ...spansOf(log, history), agent: 'pi', model: 'm', provider: 'ollama' };
}
