import { fauxAssistantMessage, fauxToolCall, type Message } from '@mariozechner/pi-ai';
import { flamestackExtension } from '../../../src/pi.ts';
import { startPi } from '../../e2e/pi/pi.ts';
import { folderOf, image, newScript, type Host, type Sent, type Turn } from './host.ts';

/** pi in this process, with its own session file. */
export const pi: Host = {
  name: 'pi',
  store: 'folder',
  can: { image: true, thought: true, stop: true },
  session: ({ memory }) => `pi-${String(memory.get('session'))}`,
  async begin(place, window) {
    const script = newScript();
    const seat = await startPi({
      folder: place.folder,
      window,
      goesOn: place.memory.has('session'),
      extension: (host) => {
        host.registerTool({
          name: 'read_part',
          label: 'read',
          description: 'Reads a part.',
          parameters: { type: 'object', properties: { id: { type: 'string' } } } as never,
          execute: async (id) => ({
            content: [{ type: 'text', text: script.result(id) }],
            details: {},
          }),
        });
        // What this provider says to have cached it counts twice.
        host.on('message_end', ({ message }) => {
          if (message.role === 'assistant') message.usage.cacheWrite = 0;
        });
        flamestackExtension({ store: folderOf(place), issues: false })(host);
      },
    });
    place.memory.set('session', seat.session.sessionManager.getSessionId());
    const asked: (readonly Sent[])[] = [];
    return {
      asked,
      async take(turn) {
        const before = seat.sent.length;
        script.begin(turn);
        seat.answer(...turn.answers.map(toMessage));
        const images = turn.image
          ? [{ type: 'image' as const, data: image, mimeType: 'image/png' }]
          : [];
        await seat.session.prompt(turn.said, { images });
        asked.push(...seat.sent.slice(before).map((messages) => messages.flatMap(toSent)));
        return textOf(seat.session.messages.at(-1) as Message);
      },
      quit: () => seat.quit(),
    };
  },
};

function toMessage({ text, thought, calls, isStopped = false }: Turn['answers'][number]) {
  const thinking = {
    type: 'thinking' as const,
    thinking: thought,
    thinkingSignature: `signed ${thought}`,
  };
  const reason = isStopped ? 'aborted' : calls.length > 0 ? 'toolUse' : 'stop';
  return fauxAssistantMessage(
    [
      ...(thought === '' ? [] : [thinking]),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ id }) => fauxToolCall('read_part', { id }, { id })),
    ],
    { stopReason: reason },
  );
}

const textOf = ({ content }: Message): string =>
  typeof content === 'string'
    ? content
    : content
        .map((block) =>
          block.type === 'text' ? block.text : block.type === 'image' ? '<image>' : '',
        )
        .join('');

function toSent(message: Message): Sent {
  const text = textOf(message);
  if (message.role === 'toolResult')
    return { role: 'tool', text, calls: [message.toolCallId], signed: [] };
  const blocks = typeof message.content === 'string' ? [] : message.content;
  return {
    role: message.role,
    text,
    calls: blocks.flatMap((block) => (block.type === 'toolCall' ? [block.id] : [])),
    signed: blocks.flatMap((block) =>
      block.type === 'thinking' ? [block.thinkingSignature ?? ''] : [],
    ),
  };
}
