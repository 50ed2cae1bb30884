import type { CommandCall } from '../../call/call.ts';
import { clean, cleanLine } from '../../paper/clean.ts';
import { cleanStream } from '../terminal/clean-stream.ts';
import type { ChatEvent, Teller } from './chat-event.ts';
import { compressedText, shortenedText } from './compressed.ts';
import { partsText } from './status-line.ts';

/** Tells a chat to a script: answers on stdout, everything else on stderr. */
export function plainTeller(call: CommandCall): Teller {
  const { stdout, stderr } = call.io;
  const text = cleanStream();
  let isOpen = false;
  const say = (piece: string): void => {
    if (piece === '') return;
    stdout.write(piece);
    isOpen = !piece.endsWith('\n');
  };
  let held: string[] = [];
  /** Tells aside, behind the line that an answer is in the middle of. */
  const note = (line: string): void => void (isOpen ? held.push(line) : call.note(line));
  const close = (): void => {
    say(text.end());
    if (isOpen) stdout.write('\n');
    isOpen = false;
    call.note(...held);
    held = [];
  };
  return {
    tell(event: ChatEvent) {
      switch (event.type) {
        case 'text':
          return say(text.push(event.text));
        case 'answered':
          close();
          if (event.finish === 'aborted') call.note('stopped');
          return undefined;
        case 'lines':
          return call.print(...event.lines);
        case 'call':
          return call.note(cleanLine(`${event.name} ${event.about}`));
        case 'result':
          return event.isError ? call.note(cleanLine(`  ${event.text}`)) : undefined;
        case 'compressed':
          return note(compressedText(event, call.margin().glyphs));
        case 'shortened':
          return note(shortenedText(event));
        case 'window':
          return note(partsText(event.budget));
        case 'note':
        case 'warning':
          return note(clean(event.text));
        case 'error': {
          close();
          const lines = event.advice.split('\n').filter((line) => line !== '');
          const more = lines.map((line) => `  ${cleanLine(line)}\n`).join('');
          stderr.write(`flamestack: ${cleanLine(event.message)}\n${more}`);
          return undefined;
        }
        case 'left':
        case 'session':
        case 'prompt':
        case 'asked':
        case 'thinking':
          return undefined;
      }
    },
  };
}
