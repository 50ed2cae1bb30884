import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { mcpServer } from '../../../src/mcp.ts';
import { folderOf, type Host } from './host.ts';

/** An agent that notes its last words by a tool, and notes again what was refused. */
export const mcp: Host = {
  name: 'MCP',
  store: 'folder',
  can: {},
  session: () => 'notes',
  notes: true,
  async begin(place) {
    const waiting = (place.memory.get('waiting') ?? []) as string[];
    place.memory.set('waiting', waiting);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await mcpServer({ store: folderOf(place), session: 'notes' }).connect(far);
    const client = new Client({ name: 'contract', version: '1' });
    await client.connect(near);
    /** Whether it was taken; a refusal says why, with a code. */
    const call = async (name: string, given: Record<string, unknown>): Promise<boolean> => {
      const { isError = false, content } = await client.callTool({ name, arguments: given });
      const said = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      if (isError && !/\([A-Z]+_[A-Z_]+\)$/.test(said)) throw new Error(`refused: ${said}`);
      return !isError;
    };
    return {
      asked: [],
      async take({ answers }) {
        const { text } = answers.at(-1)!;
        waiting.push(text);
        while (waiting.length > 0 && (await call('checkpoint', { text: waiting[0] })))
          waiting.shift();
        await call('recovery', {});
        await call('recall', { query: 'Say' });
        return text;
      },
      quit: () => client.close(),
    };
  },
};
