import { suspension } from '../call/suspension.ts';
import type { Io } from '../io.ts';
import { widthOf } from '../paper/width.ts';

// The other screen of a terminal, drawn line by line: only lines that changed are written, in one write between the
// marks of a synchronized update, and at most ten times a second. However the process ends, the terminal gets back
// what it had: the screen before, the cursor, its keys; all but a kill that cannot be heard.

/** Shortest time between two frames, in milliseconds. */
const frameEvery = 100;

const enter = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[2J';
const leave = '\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?25h\x1b[?1049l';
const begin = '\x1b[?2026h';
const finish = '\x1b[?2026l';

/** The whole of a terminal. */
export interface FullScreen {
  /** Draws soon: at once where nothing was drawn lately. */
  draw(): void;
  /** Draws every line anew. */
  redraw(): void;
  /** Gives the terminal back, stops the process, and takes it again when it goes on. */
  suspend(): void;
  /** Gives the terminal back. */
  close(): void;
}

/** Takes the terminal, and shows what `frame` gives whenever it is told to draw. */
export function fullScreen(
  { stdin, stdout }: Pick<Io, 'stdin' | 'stdout'>,
  frame: () => readonly string[],
): FullScreen {
  let drawnRows: readonly string[] = [];
  let drawn = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isTaken = false;

  const take = (): void => {
    if (isTaken) return;
    isTaken = true;
    stdin.setRawMode?.(true);
    stdout.write(enter);
    drawnRows = [];
  };
  const giveBack = (): void => {
    if (!isTaken) return;
    isTaken = false;
    clearTimeout(timer);
    timer = undefined;
    stdout.write(leave);
    stdin.setRawMode?.(false);
  };
  const show = (): void => {
    timer = undefined;
    if (!isTaken) return;
    drawn = performance.now();
    const lines = frame();
    const width = stdout.columns ?? 0;
    const changed = lines.flatMap((line, row) => {
      if (line === drawnRows[row]) return [];
      // Behind the last cell there is nothing to erase but that cell.
      const rest = widthOf(line) < width ? '\x1b[K' : '';
      return [`\x1b[${row + 1};1H${line}\x1b[0m${rest}`];
    });
    const below = lines.length < drawnRows.length ? [`\x1b[${lines.length + 1};1H\x1b[J`] : [];
    drawnRows = lines;
    if (changed.length + below.length > 0)
      stdout.write(begin + changed.join('') + below.join('') + finish);
  };
  const draw = (): void => {
    const wait = Math.max(0, drawn + frameEvery - performance.now());
    timer ??= setTimeout(show, wait);
  };
  const redraw = (): void => {
    if (!isTaken) return;
    stdout.write('\x1b[2J');
    drawnRows = [];
    draw();
  };
  const stopping = suspension(() => {
    giveBack();
    take();
    draw();
  });

  // Also where the program fails: then this comes before its error is told.
  process.on('exit', giveBack);
  take();
  return {
    draw,
    redraw,
    suspend() {
      giveBack();
      stopping.suspend();
    },
    close() {
      process.off('exit', giveBack);
      stopping.close();
      giveBack();
    },
  };
}
