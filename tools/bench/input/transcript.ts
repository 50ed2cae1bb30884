import type { Message } from '../../../src/index.ts';
import { flat, readCorpora } from './corpus.ts';
import { randomOf } from '../../random.ts';

/** Sizes of the messages of a transcript, in characters: least and most. */
interface Sizes {
  readonly asked: readonly [number, number];
  readonly called: readonly [number, number];
  readonly answered: readonly [number, number];
  readonly told: readonly [number, number];
  /** Of code, in half of the answers. */
  readonly code: readonly [number, number];
}

const full: Sizes = {
  asked: [60, 400],
  called: [100, 250],
  answered: [4_096, 4_097],
  told: [600, 2_000],
  code: [300, 1_000],
};
const short: Sizes = {
  asked: [40, 120],
  called: [30, 60],
  answered: [150, 250],
  told: [80, 200],
  code: [20, 60],
};

/**
 * The messages of an agent at work, in cycles of four: what a person asks (one in twenty in Chinese,
 * Japanese or Korean), a call, its result, an answer; 1.5 KB of text on average. The same seed gives the
 * same messages.
 */
export function transcript(length: number, seed = 42): readonly Message[] {
  return messages(length, full, seed);
}

/** {@link transcript} of short messages, 140 bytes on average: a million of them fit on any disk. */
export function shortTranscript(length: number, seed = 42): readonly Message[] {
  return messages(length, short, seed);
}

function messages(length: number, sizes: Sizes, seed: number): readonly Message[] {
  const source = readCorpora();
  const next = randomOf(seed);
  const cut = (text: string, [least, most]: readonly [number, number]): string => {
    const size = least + Math.floor(next() * (most - least));
    const from = Math.floor(next() * (text.length - size));
    return flat(text.slice(from, from + size));
  };
  const asked = (): Message => {
    const [least, most] = sizes.asked;
    const rare = next() < 0.05;
    const content = rare ? cut(source.cjk, [least / 2, most / 2]) : cut(source.prose, sizes.asked);
    return { role: 'user', content };
  };
  const called = (id: string): Message => ({
    role: 'assistant',
    content: cut(source.prose, sizes.called),
    toolCalls: [{ id, name: 'run', arguments: { command: cut(source.code, [40, 41]) } }],
  });
  const answered = (toolCallId: string): Message => {
    const share = next();
    const text = share < 0.5 ? source.json : share < 0.85 ? source.code : source.prose;
    return { role: 'tool', toolCallId, name: 'run', content: cut(text, sizes.answered) };
  };
  const told = (): Message => {
    const code = next() < 0.5 ? `\n\n\`\`\`ts\n${cut(source.code, sizes.code)}\n\`\`\`` : '';
    return { role: 'assistant', content: cut(source.prose, sizes.told) + code };
  };
  const makers = [asked, called, answered, told];
  return Array.from({ length }, (_, index) => makers[index % 4]!(`call_${index - (index % 4)}`));
}

/** Bytes of what `message` says, the arguments of its calls among them. */
export function textBytes({ content, ...rest }: Message): number {
  const calls = 'toolCalls' in rest ? JSON.stringify(rest.toolCalls) : '';
  return (
    Buffer.byteLength(typeof content === 'string' ? content : JSON.stringify(content)) +
    Buffer.byteLength(calls)
  );
}
