import type { Budget } from '../../../index.ts';
import { storeFolder, type CommandCall } from '../../call/call.ts';
import { clean, cleanLine } from '../../paper/clean.ts';
import { number } from '../../paper/size.ts';
import { cut, wrap } from '../../paper/width.ts';
import { flowOn, type Flow } from '../terminal/flow.ts';
import type { ChatEvent, SessionStatus, Teller } from './chat-event.ts';
import { compressedText, shortenedText } from './compressed.ts';
import { partsText, statusLines } from './status-line.ts';

/** Printers of each type of event. */
type Tellers = {
  readonly [Type in ChatEvent['type']]: (event: Extract<ChatEvent, { type: Type }>) => void;
};

/** Shows a chat on a terminal; `think` shows what the model thinks. */
export function terminalTeller(call: CommandCall, { think }: { readonly think: boolean }): Teller {
  const flow = flowOn(call);
  const standing = statusTeller(flow, call);
  const tellers: Tellers = {
    ...answerTellers(flow, think),
    ...toolTellers(flow, call),
    ...sessionTellers(flow, call),
    asked() {
      standing.renew();
      flow.wait('waiting');
    },
    window: ({ budget }) => standing.explain(budget),
    prompt: (event) => standing.tell(event),
  };
  return { tell: (event) => (tellers[event.type] as (event: ChatEvent) => void)(event) };
}

type TellersOf<Type extends ChatEvent['type']> = Pick<Tellers, Type>;

function answerTellers(flow: Flow, think: boolean): TellersOf<'thinking' | 'text' | 'answered'> {
  return {
    thinking: ({ text }) => (think ? flow.say('thinking', text) : flow.wait('thinking')),
    text: ({ text }) => flow.say('text', text),
    answered({ finish }) {
      flow.finish();
      if (finish === 'aborted') flow.line('stopped', 'gray');
      if (finish === 'length')
        flow.prose('cut off: the answer took all that was kept for it', 'gray');
    },
  };
}

function toolTellers(flow: Flow, call: CommandCall): TellersOf<'call' | 'result'> {
  const short = (text: string): string => {
    const { width, glyphs } = call.paper();
    return cut(text, width, glyphs.more);
  };
  return {
    call({ name, about, asked }) {
      const { glyphs } = call.paper();
      if (!asked) flow.line(short(`${glyphs.call} ${cleanLine(`${name} ${about}`)}`), 'gray');
      flow.wait('running');
    },
    result({ isError, text }) {
      flow.finish();
      if (isError) flow.line(short(`  ${cleanLine(text)}`), 'red');
    },
  };
}

type SessionEventType =
  | 'session'
  | 'compressed'
  | 'shortened'
  | 'note'
  | 'warning'
  | 'lines'
  | 'error'
  | 'left';

function sessionTellers(flow: Flow, call: CommandCall): TellersOf<SessionEventType> {
  return {
    session: (event) => tellSession(event, flow, call),
    compressed: (event) => flow.later(compressedText(event, call.paper().glyphs), 'yellow'),
    shortened: (event) => flow.later(shortenedText(event), 'gray'),
    note: ({ text }) => flow.prose(clean(text), 'gray'),
    warning: ({ text }) => flow.prose(clean(text), 'yellow'),
    lines: ({ lines }) => lines.forEach((line) => flow.line(line)),
    error({ message, advice }) {
      flow.prose(cleanLine(message), 'red');
      const lines = advice.split('\n').filter((line) => line !== '');
      for (const line of lines) flow.prose(cleanLine(line), 'gray', '  ');
    },
    left({ resume }) {
      // The command stays in one piece, so that it can be copied.
      const line = `Kept. Go on with: ${resume}`;
      const isLong = line.length > call.paper().width;
      flow.line(isLong ? line.replace(': ', ':\n') : line, 'gray');
    },
  };
}

/** Greets: model, session, and where it was left. */
function tellSession(
  event: Extract<ChatEvent, { type: 'session' }>,
  flow: Flow,
  call: CommandCall,
): void {
  const { model, server, window, session, where, isNew, last } = event;
  const { glyphs, paint, width } = call.paper();
  const name = cleanLine(session);
  const parts = [cleanLine(model), cleanLine(server), `window ${number(window)}`];
  const lines = wrap(`${name}  ${parts.join(` ${glyphs.dot} `)}`, width);
  lines.forEach((line, index) => {
    const bold = index === 0 && line.startsWith(name) ? name : '';
    flow.line(paint(bold, 'bold') + paint(line.slice(bold.length), 'gray'));
  });
  flow.prose(isNew ? 'A new session. /help lists commands, Ctrl-D leaves.' : where, 'gray');
  if (isNew) flow.prose(`Kept in ${cleanLine(storeFolder(call))}.`, 'gray');
  for (const { who, text } of last)
    flow.line(cut(cleanLine(`${who}: ${text}`), width, glyphs.more), 'gray');
}

/** Shows the status line after each answer, and otherwise only when it changed; before it what the window is parted into, when that is new. */
function statusTeller(
  flow: Flow,
  call: CommandCall,
): {
  explain(budget: Budget): void;
  tell(event: { readonly standing: SessionStatus }): void;
  renew(): void;
} {
  let before: string | null = null;
  let explained = '';
  const partedBy = ({ window, reserve, count }: Budget): string =>
    [window, reserve, count].join(' ');
  const explain = (budget: Budget): void => {
    flow.prose(partsText(budget), 'gray');
    explained = partedBy(budget);
  };
  return {
    explain,
    tell({ standing }) {
      if (partedBy(standing.budget) !== explained) explain(standing.budget);
      const lines = statusLines(standing, call.paper());
      const now = lines.join('\n');
      if (now === before) return;
      before = now;
      flow.line('');
      for (const line of lines) flow.line(line);
    },
    renew() {
      before = null;
    },
  };
}
