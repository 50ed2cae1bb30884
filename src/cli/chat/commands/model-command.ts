import { cleanLine } from '../../paper/clean.ts';
import type { Chat } from '../conversation/chat.ts';
import { measurePrompt } from '../conversation/opening/check-room.ts';
import { findNamedModel } from '../conversation/opening/find-model.ts';
import { tellOfTools } from '../conversation/system-prompt.ts';

/** Goes on with another model of the same server, or lists them. */
export async function modelCommand(chat: Chat, rest: string): Promise<void> {
  const { teller, person, session, now } = chat;
  if (rest === '') {
    const names = await person.during((signal) => now.model.models({ signal }));
    const used = new Set([now.model.name, `${now.model.name}:latest`]);
    const lines = names.map((name) => `  ${cleanLine(name)}${used.has(name) ? ', in use' : ''}`);
    return teller.tell({ type: 'lines', lines });
  }
  const { model, facts } = await findNamedModel(chat, rest);
  const isOurs = chat.summarizer === 'model';
  await session.configure({
    model: model.name,
    provider: chat.server.kind,
    ...(facts.size === null ? {} : { modelSize: facts.size }),
    ...(isOurs ? { summarizer: model.summarizer() } : {}),
  });
  now.model = model;
  now.hasTools = chat.tools.size > 0 && facts.tools !== false;
  now.isWindowChecked = false;
  await tellOfTools(chat);
  teller.tell({ type: 'note', text: `Going on with ${cleanLine(model.name)}.` });
  await measurePrompt(chat);
}
