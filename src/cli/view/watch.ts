import { setTimeout as sleep } from 'node:timers/promises';
import { isEngineError } from '../../index.ts';
import {
  addStep,
  emptyHistory,
  totalOf,
  type Happening,
  type History,
} from '../../viewer/page/session/model/history.ts';
import type { CommandCall } from '../call/call.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Format } from '../paper/format.ts';
import type { Paper } from '../paper/paper.ts';
import { many } from '../paper/size.ts';
import { cut, padEnd } from '../paper/width.ts';
import { latestFirst, pickSession } from '../sessions/pick.ts';
import { readStore } from '../sessions/with-session.ts';
import { sessionSteps } from './session-steps.ts';
import { titleText } from '../sessions/words/title-text.ts';

/** Options of `watch` alone. */
export interface WatchCommandOptions {
  readonly last?: number | undefined;
}

/** How many events of before are shown at first, unless told. */
const before = 10;

/** More events than this at once are said to come late. */
const behind = 100;

/** Until a store that could not be read is tried again, in milliseconds. */
const again = 2_000;

/** Prints what happens in a session, an event a line, as long as somebody may write it; gives the exit code. */
export async function watch(
  said: string | undefined,
  { last = before }: WatchCommandOptions,
  call: CommandCall,
): Promise<number> {
  const { signal } = call.io;
  const picked = await readStore(call, async (store) =>
    pickSession(await latestFirst(store), said),
  );
  const history = emptyHistory();
  let printedCount: number | null = null;
  call.note(`Watching ${titleText(picked.title ?? picked.id)}; Ctrl-C ends it.`);
  while (!signal.aborted)
    try {
      for await (const news of sessionSteps(call, picked.id, { live: true, signal })) {
        if ('sizes' in news) {
          if (news.seq > (history.steps.at(-1)?.seq ?? 0)) addStep(history, news);
        } else if ('seq' in news) {
          const fresh = history.happenings.slice(printedCount ?? -last);
          if (printedCount !== null && fresh.length > behind)
            call.note(`${many(fresh.length, 'event')} behind; here they are.`);
          printedCount = history.happenings.length;
          print(fresh, {
            history,
            call,
            id: picked.id,
          });
        }
      }
    } catch (error) {
      if (signal.aborted) break;
      if (!isEngineError(error, 'STORE_UNAVAILABLE') && !isEngineError(error, 'STORE_IN_USE'))
        throw error;
      call.note(`${cleanLine(error.message)}; trying again.`);
      await sleep(again, undefined, { signal }).catch(() => undefined);
    }
  return signal.reason as number;
}

function print(
  happenings: readonly Happening[],
  {
    history,
    call,
    id,
  }: { readonly history: History; readonly call: CommandCall; readonly id: string },
): void {
  const paper = call.paper();
  for (const one of happenings) {
    const step = history.steps[one.at]!;
    const { seq, turn, at, limit } = step;
    if (call.json) {
      const { kind, label, text, ref } = one;
      const fields = { kind, label, text, ref, tokens: totalOf(step), limit };
      call.emit('flamestack.event/1', { session: id, seq, turn, at, ...fields });
    } else call.print(lineOf(one, at, paper));
  }
}

const formats: Readonly<Partial<Record<Happening['kind'], Format>>> = {
  person: 'bold',
  frame: 'cyan',
  compression: 'magenta',
  shortened: 'magenta',
  bad: 'red',
};

/** A time of today by the clock, another with its day. */
function momentText(at: Date, now: Date): string {
  const clock = at.toTimeString().slice(0, 8);
  if (at.toDateString() === now.toDateString()) return clock;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock.slice(0, 5)}`;
}

/** From so many cells on a line has its time. */
const roomForTime = 72;

function lineOf({ kind, label, text, ref }: Happening, at: number, paper: Paper): string {
  const { glyphs, paint, longest } = paper;
  const time = momentText(new Date(at), new Date());
  const id = /^[ef]\d+$/.exec(ref ?? '')?.[0] ?? '';
  const head = `${longest < roomForTime ? '' : `${time}  `}${padEnd(id, 6)} ${padEnd(label, 11)} `;
  const said = cleanLine(text).replace('→', glyphs.to);
  const format = formats[kind];
  const line = cut(said, Math.max(8, longest - head.length), glyphs.more);
  return paint(head, 'gray') + (format === undefined ? line : paint(line, format));
}
