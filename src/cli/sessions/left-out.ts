import type { LostEntries } from '../../index.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';

/** Lost entries, and their session where there are several. */
type LostIn = LostEntries & { readonly session?: string };

/** Entries that a command left out, since they cannot be read. */
export interface LeftOut {
  /** Hears of them. */
  readonly onLost: (lost: LostIn) => void;
  /** Says on stderr what was left out of a session, or of those that the losses name; gives the exit code. */
  settle(session?: string): number;
}

/** Nothing left out yet. */
export function newLeftOut(call: CommandCall): LeftOut {
  const all: LostIn[] = [];
  return {
    onLost: (lost) => void all.push(lost),
    settle(session) {
      if (all.length === 0) return exits.done;
      call.io.stderr.write(
        call.json
          ? `${JSON.stringify({ schema: 'flamestack.left-out/1', session, lost: all })}\n`
          : leftOutText(session, all, call),
      );
      return exits.check;
    },
  };
}

function leftOutText(
  session: string | undefined,
  lost: readonly LostIn[],
  call: CommandCall,
): string {
  const named = lost.map((one) => {
    const text = lostText(one);
    return one.session === undefined ? text : `${cleanLine(one.session)} ${text}`;
  });
  const name = session === undefined ? '' : ` ${quote(cleanLine(session))}`;
  const of = session === undefined ? '' : ` of ${cleanLine(session)}`;
  const verify = `flamestack verify${name}${storeArgument(call)}`;
  return `flamestack: left out${of}: ${named.join(', ')}\n  More: ${verify}\n`;
}

/** `e5–e7 (missing)`. */
export function lostText({ from, to, reason }: LostEntries): string {
  return `${from === to ? from : `${from}-${to}`} (${reason})`;
}
