// The server of tools in a program of somebody else's, and from the command, by the client of the SDK.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { mcpServer } from 'flamestack/mcp';

const text = async (client, name, given) =>
  (await client.callTool({ name, arguments: given })).content[0].text;

test('what a program serves, the command serves, too', async () => {
  const store = join(mkdtempSync(join(tmpdir(), 'flamestack-packed-')), 'store');
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcpServer({ store }).connect(far);
  const one = new Client({ name: 'one', version: '1' });
  await one.connect(near);
  assert.equal(await text(one, 'checkpoint', { text: 'The parrot is Kakadu.' }), 'Noted as e1.');
  const other = new Client({ name: 'other', version: '1' });
  const args = ['flamestack', 'mcp', '--store', store];
  await other.connect(new StdioClientTransport({ command: 'npx', args }));
  assert.match(await text(other, 'recall', { query: 'parrot' }), /Kakadu/);
  await Promise.all([one.close(), other.close()]);
});
