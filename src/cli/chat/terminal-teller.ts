import type { Call } from '../call.ts';
import { clean, cleanLine } from '../render/clean.ts';
import { number } from '../render/size.ts';
import { cut } from '../render/width.ts';
import { compressedText } from './compressed.ts';
import type { ChatEvent, Teller } from './event.ts';
import { flowOn, type Flow } from './flow.ts';
import { standingLine } from './standing.ts';

/** What is shown for each type of event. */
type Tellers = {
  readonly [Type in ChatEvent['type']]: (event: Extract<ChatEvent, { type: Type }>) => void;
};

/** Shows a chat on a terminal; `think` shows what the model thinks. */
export function terminalTeller(call: Call, { think }: { readonly think: boolean }): Teller {
  const flow = flowOn(call);
  const tellers: Tellers = {
    ...answerTellers(flow, think),
    ...toolTellers(flow, call),
    ...sessionTellers(flow, call),
  };
  return { tell: (event) => (tellers[event.type] as (event: ChatEvent) => void)(event) };
}

type Some<Type extends ChatEvent['type']> = Pick<Tellers, Type>;

function answerTellers(
  flow: Flow,
  think: boolean,
): Some<'asked' | 'thinking' | 'text' | 'answered'> {
  return {
    asked: () => flow.wait('waiting'),
    thinking: ({ text }) => (think ? flow.say('thinking', text) : flow.wait('thinking')),
    text: ({ text }) => flow.say('text', text),
    answered({ finish }) {
      flow.finish();
      if (finish === 'aborted') flow.line('stopped', 'gray');
      if (finish === 'length')
        flow.line('cut off: the answer took all that was kept for it', 'gray');
    },
  };
}

function toolTellers(flow: Flow, call: Call): Some<'call' | 'result'> {
  const short = (text: string): string => {
    const { width, glyphs } = call.paper();
    return cut(text, width, glyphs.more);
  };
  return {
    call({ name, about, asked }) {
      const { glyphs } = call.paper();
      if (!asked) flow.line(short(`${glyphs.call} ${cleanLine(`${name} ${about}`)}`), 'gray');
    },
    result({ isError, text }) {
      if (isError) flow.line(short(`  ${cleanLine(text)}`), 'red');
    },
  };
}

function sessionTellers(
  flow: Flow,
  call: Call,
): Some<'session' | 'prompt' | 'compressed' | 'note' | 'warning' | 'lines' | 'error' | 'left'> {
  return {
    session({ model, server, window, session, where, isNew }) {
      const { glyphs, paint } = call.paper();
      const parts = [cleanLine(model), cleanLine(server), `window ${number(window)}`];
      const about = paint(parts.join(` ${glyphs.dot} `), 'gray');
      flow.line(`${paint(cleanLine(session), 'bold')}  ${about}`);
      flow.line(isNew ? 'A new session. /help lists commands, Ctrl-D leaves.' : where, 'gray');
    },
    prompt({ standing }) {
      flow.line('');
      flow.line(standingLine(standing, call.paper()));
    },
    compressed: (event) => flow.later(compressedText(event, call.paper().glyphs), 'yellow'),
    note: ({ text }) => flow.line(clean(text), 'gray'),
    warning: ({ text }) => flow.line(clean(text), 'yellow'),
    lines: ({ lines }) => lines.forEach((line) => flow.line(line)),
    error({ message, advice }) {
      flow.line(cleanLine(message), 'red');
      const lines = advice.split('\n').filter((line) => line !== '');
      for (const line of lines) flow.line(`  ${cleanLine(line)}`, 'gray');
    },
    left: ({ resume }) => flow.line(`Kept. Go on with: ${resume}`, 'gray'),
  };
}
