import type { LostEntries } from '../../index.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';

/** Entries that a command left out, since they cannot be read. */
export interface LeftOut {
  /** Hears of them. */
  readonly onLost: (lost: LostEntries) => void;
  /** Says on stderr what was left out of a session; gives the exit code. */
  settle(session: string): number;
}

/** Nothing left out yet. */
export function newLeftOut(call: CommandCall): LeftOut {
  const all: LostEntries[] = [];
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

function leftOutText(session: string, lost: readonly LostEntries[], call: CommandCall): string {
  const name = cleanLine(session);
  const verify = `flamestack verify ${quote(name)}${storeArgument(call)}`;
  return `flamestack: left out of ${name}: ${lost.map(lostText).join(', ')}\n  More: ${verify}\n`;
}

/** `e5–e7 (missing)`. */
export function lostText({ from, to, reason }: LostEntries): string {
  return `${from === to ? from : `${from}-${to}`} (${reason})`;
}
