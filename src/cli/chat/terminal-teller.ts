import type { Call } from '../call.ts';
import { clean, cleanLine } from '../render/clean.ts';
import type { Format } from '../render/paper.ts';
import { duration, number } from '../render/size.ts';
import { cut } from '../render/width.ts';
import { cleanStream } from './clean-stream.ts';
import { compressedText } from './compressed.ts';
import type { ChatEvent, Teller } from './event.ts';
import { standingLine } from './standing.ts';

/** How often a wait is told anew, in milliseconds. */
const every = 1_000;

/** Shows a chat on a terminal; `think` shows what the model thinks. */
export function terminalTeller(call: Call, { think }: { readonly think: boolean }): Teller {
  const { stdout } = call.io;
  const text = cleanStream();
  const thought = cleanStream();
  /** Lines that came while an answer did. */
  let held: readonly string[] = [];
  /** Whether the cursor stands behind text. */
  let isOpen = false;
  let begun = 0;
  let timer: NodeJS.Timeout | null = null;
  let state: 'still' | 'waiting' | 'thinking' | 'talking' = 'still';

  const write = (piece: string): void => {
    if (piece === '') return;
    stdout.write(piece);
    isOpen = !piece.endsWith('\n');
  };
  const line = (content: string, ...formats: readonly Format[]): void => {
    finish();
    const { paint } = call.paper();
    stdout.write(`${paint(content, ...formats)}\n`);
  };
  const draw = (): void => {
    const { paint, glyphs } = call.paper();
    const word = state === 'thinking' ? 'thinking' : 'waiting';
    const passed = `${Math.floor((performance.now() - begun) / 1_000)} s`;
    stdout.write(`\r\x1b[2K${paint(`${word}${glyphs.more} ${passed}`, 'gray')}`);
  };
  const wait = (next: 'waiting' | 'thinking'): void => {
    if (state === next) return;
    hush();
    state = next;
    begun = performance.now();
    if (!call.paper().isLive) return;
    if (next === 'thinking') draw();
    timer = setInterval(draw, every);
    timer.unref();
  };
  /** Ends a wait, and takes its line away. */
  const hush = (): void => {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    stdout.write('\r\x1b[2K');
    if (state !== 'thinking') return;
    const { paint } = call.paper();
    stdout.write(`${paint(`thought for ${duration(performance.now() - begun)}`, 'gray')}\n`);
  };
  /** Ends whatever is under way, on a line of its own. */
  const finish = (): void => {
    hush();
    if (state === 'thinking' && think) write(thought.end());
    if (state === 'talking') write(text.end());
    state = 'still';
    if (isOpen) stdout.write('\n');
    isOpen = false;
    const lines = held;
    held = [];
    for (const one of lines) stdout.write(`${one}\n`);
  };

  const tellers: {
    readonly [Type in ChatEvent['type']]: (event: Extract<ChatEvent, { type: Type }>) => void;
  } = {
    session: (event) => {
      const { glyphs, paint } = call.paper();
      const { model, server, window, session, where, isNew } = event;
      const parts = [cleanLine(model), cleanLine(server), `window ${number(window)}`];
      const name = paint(cleanLine(session), 'bold');
      line(`${name}  ${paint(parts.join(` ${glyphs.dot} `), 'gray')}`);
      line(isNew ? 'A new session. /help lists commands, Ctrl-D leaves.' : where, 'gray');
    },
    prompt: ({ standing }) => {
      line('');
      line(standingLine(standing, call.paper()));
    },
    asked: () => wait('waiting'),
    thinking: (event) => {
      if (!think) return wait('thinking');
      hush();
      state = 'thinking';
      write(call.paper().paint(thought.push(event.text), 'gray'));
    },
    text: (event) => {
      if (state !== 'talking') finish();
      state = 'talking';
      write(text.push(event.text));
    },
    answered: ({ finish: reason }) => {
      finish();
      if (reason === 'aborted') line('stopped', 'gray');
      if (reason === 'length') line('cut off: the answer took all that was kept for it', 'gray');
    },
    call: ({ name, about, asked }) => {
      if (asked) return;
      const text = `${name} ${about}`.trim();
      line(cut(`↳ ${cleanLine(text)}`, call.paper().width, call.paper().glyphs.more), 'gray');
    },
    result: ({ isError, text }) => {
      if (!isError) return;
      const paper = call.paper();
      line(cut(`  ${cleanLine(text)}`, paper.width, paper.glyphs.more), 'red');
    },
    compressed: (event) => {
      const { paint, glyphs } = call.paper();
      held = [...held, paint(compressedText(event, glyphs), 'yellow')];
      const before = state;
      if (before === 'talking' || before === 'thinking') return;
      finish();
      if (before === 'waiting') wait('waiting');
    },
    note: (event) => line(clean(event.text), 'gray'),
    warning: (event) => line(clean(event.text), 'yellow'),
    lines: ({ lines }) => lines.forEach((one) => line(one)),
    error: ({ message, advice }) => {
      line(cleanLine(message), 'red');
      if (advice !== '') for (const one of advice.split('\n')) line(`  ${cleanLine(one)}`, 'gray');
    },
    left: ({ resume }) => line(`Kept. Go on with: ${resume}`, 'gray'),
  };
  return { tell: (event) => (tellers[event.type] as (event: ChatEvent) => void)(event) };
}
