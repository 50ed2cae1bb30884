import { cleanLine } from '../../paper/clean.ts';
import { cut } from '../../paper/width.ts';
import type { Chat } from '../conversation/chat.ts';
import { toolsOf, withoutTools } from '../conversation/chat-tools.ts';
import type { ChatTool } from '../tools/chat-tool.ts';
import { refused } from './refused.ts';

/** Lists tools by who has them, and what is always allowed, or takes that back. */
export async function toolsCommand(chat: Chat, rest: string): Promise<void> {
  const { always, teller } = chat;
  if (rest === '') return teller.tell({ type: 'lines', lines: toolLines(chat) });
  const [verb, name = ''] = rest.split(/\s+/);
  if (verb !== 'forget') throw refused('It takes this: /tools forget <tool>');
  if (!always.delete(name)) {
    const names = [...always].join(', ');
    throw refused(
      `It is not always allowed. ${names === '' ? 'Nothing is.' : `That is: ${names}`}`,
    );
  }
  teller.tell({ type: 'note', text: `${name} is asked for again.` });
}

function toolLines(chat: Chat): readonly string[] {
  if (!chat.now.hasTools) return [cleanLine(withoutTools(chat.now.model.name))];
  const { paint, width, glyphs } = chat.call.paper();
  const toolNames = new Set(toolsOf(chat).map(({ name }) => name));
  const lines: string[] = [];
  let last = '';
  for (const tool of chat.tools.values()) {
    const isTold = toolNames.has(tool.name);
    if (tool.of === 'session' && !isTold) continue;
    const owner = ownerOf(tool);
    if (owner !== last) lines.push(paint(owner, 'bold'));
    last = owner;
    const signs = [
      ...(chat.always.has(tool.name) ? ['always allowed'] : []),
      ...(isTold ? [] : ['no room for it']),
    ].map((sign) => ` (${sign})`);
    const line = `  ${tool.name}${signs.join('')}  ${cleanLine(tool.description)}`;
    lines.push(cut(line, width, glyphs.more));
  }
  return lines;
}

/** Who has a tool, on a line. */
function ownerOf({ of }: ChatTool): string {
  return typeof of === 'string' ? of : `server ${cleanLine(of.server)}`;
}
