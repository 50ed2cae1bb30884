import { countTokens } from '../../../src/index.ts';
import type { OpenCodeMessage, OpenCodePart } from '../../../src/adapters/opencode/host.ts';
import { longestAnswer, sessionID, startOpenCode, textOf } from '../opencode/opencode.ts';
import { folderOf, image, newScript, type Answer, type Host, type Sent } from './host.ts';

/** OpenCode by its script, with what is written in its database. */
export const openCode: Host = {
  name: 'OpenCode',
  store: 'folder',
  can: { image: true, thought: true, stop: true, refusal: true },
  session: () => `opencode-${sessionID}`,
  async begin(place, window) {
    const written = (place.memory.get('written') ?? []) as OpenCodeMessage[];
    place.memory.set('written', written);
    const seat = await startOpenCode({ store: folderOf(place), window, written });
    const script = newScript();
    const asked: (readonly Sent[])[] = [];
    /** The answer to a prompt, which is sent again as it is where the provider is out of order; or why it is refused. */
    const ask = (prompt: readonly Sent[]): Answer | string => {
      asked.push(prompt);
      try {
        return script.next();
      } catch (error) {
        const { message } = error as Error;
        if (message === 'busy') return ask(prompt);
        if (message.startsWith('prompt is too long')) return message;
        throw error;
      }
    };
    /** Whether the model goes on, its calls being done. */
    const step = async (): Promise<boolean> => {
      const prompt = (await seat.send()).flatMap(toSent);
      const answer = ask(prompt);
      if (typeof answer === 'string') {
        await seat.refuse(answer);
        return true;
      }
      const input = await countTokens(prompt.map(({ text }) => text).join('\n'));
      if (input >= window - longestAnswer) throw new Error('OpenCode would compact by itself');
      const { text, thought, calls, isStopped = false } = answer;
      seat.answer(
        text,
        calls.map(({ id }) => ({ name: 'read', id, output: script.result(id) })),
        {
          thought,
          tokens: { input, output: 0, cache: { read: 0, write: 0 } },
          ...(isStopped ? { finish: undefined, error: { name: 'MessageAbortedError' } } : {}),
        },
      );
      return calls.length > 0;
    };
    return {
      asked,
      async take(turn) {
        script.begin(turn);
        const url = `data:image/png;base64,${image}`;
        const shown = { id: `prt_${written.length}`, type: 'file', mime: 'image/png', url };
        seat.say(turn.said, ...(turn.image ? [shown] : []));
        while (await step());
        await seat.event('session.idle');
        return textOf(written.at(-1)!);
      },
      quit: () => seat.hooks.dispose(),
    };
  },
};

/** A message as OpenCode tells it to a model: what is empty is left out, and an answer that failed. */
function toSent({ info, parts }: OpenCodeMessage): readonly Sent[] {
  const said = parts.filter(({ type }) => type !== 'step-start');
  const { name: failed } = Object(info['error']) as { name?: string };
  const isAborted =
    failed === 'MessageAbortedError' && said.some(({ type }) => type !== 'reasoning');
  if (said.length === 0 || (failed !== undefined && !isAborted)) return [];
  const text = said.map(wordsOf).join('');
  if (info.role === 'user') return [{ role: 'user', text, calls: [], signed: [] }];
  const tools = said.filter(({ type }) => type === 'tool');
  const idOf = (part: OpenCodePart): string => String(part['callID']);
  const signed = said.flatMap((part) =>
    part.type === 'reasoning' ? [(part['metadata'] as Signed).fake.signature] : [],
  );
  const results = tools.map((part): Sent => {
    const text = resultOf(part['state'] as State);
    return { role: 'tool', text, calls: [idOf(part)], signed: [] };
  });
  return [{ role: 'assistant', text, calls: tools.map(idOf), signed }, ...results];
}

interface Signed {
  readonly fake: { readonly signature: string };
}

interface State {
  readonly status: string;
  readonly output?: string;
  readonly error?: string;
  readonly time?: { readonly compacted?: number };
}

function wordsOf(part: OpenCodePart): string {
  if (part.type === 'text') return String(part['text']);
  if (part.type === 'file') return '<image>';
  return part.type === 'compaction' ? 'What did we do so far?' : '';
}

function resultOf({ status, output = '', error = '', time }: State): string {
  if (status === 'error') return error;
  if (status !== 'completed') return '[Tool execution was interrupted]';
  return time?.compacted === undefined ? output : '[Old tool result content cleared]';
}
