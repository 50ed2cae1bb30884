import { cleanLine } from '../paper/clean.ts';
import { duration, percent } from '../paper/size.ts';
import type { CommandCall } from './call.ts';
import { statusLine } from './status-line.ts';

/** A line on stderr that says which part of some work is done now, the share that is done, and the time. */
export interface PartsLine {
  readonly update: (progress: { readonly of: string; readonly share?: number }) => void;
  clear(): void;
}

/** How often the time is told while a part takes long, in milliseconds, and how long a share says nothing of the rest. */
const tellEvery = 250;
const tooEarly = 1_000;

/** A status line for work of many parts. */
export function partsLine(call: CommandCall): PartsLine {
  const status = statusLine(call);
  const begun = performance.now();
  let part = { of: '', share: 0, since: begun };
  let timer: NodeJS.Timeout | undefined;
  const say = (): void => status.say(() => partText(part, begun, performance.now()));
  return {
    update({ of, share = 0 }) {
      // A share that is smaller than before is that of another round.
      part = { of, share, since: share < part.share ? performance.now() : part.since };
      if (status.isShown) timer ??= setInterval(say, tellEvery).unref();
      say();
    },
    clear() {
      clearInterval(timer);
      timer = undefined;
      status.clear();
    },
  };
}

/** A part, the share of its round that is done, and the time that is left, or that has passed where nobody knows. */
export function partText(
  { of, share, since }: { readonly of: string; readonly share: number; readonly since: number },
  begun: number,
  now: number,
): string {
  const remainingMs =
    share < 0.02 || now - since < tooEarly ? 0 : ((now - since) / share) * (1 - share);
  const time = remainingMs >= 1_000 ? `${duration(remainingMs)} left` : duration(now - begun);
  const done = share === 0 ? [] : [percent(share)];
  return [...done, ...(now - begun < tooEarly ? [] : [time]), cleanLine(of)].join('  ');
}
