import { expect, test } from 'vitest';
import { file } from '../../call.ts';
import { chatWith } from './mcp-stage.ts';

test.each([
  ['not there', '/nowhere/servers.json', 'is not there'],
  ['no JSON', '{"a":\n?}', 'is no JSON: Unexpected token'],
  ['a list', '[]', 'names no servers'],
  ['without a command', '{"mcpServers":{"s":{}}}', 'has a server "s" that has no text for command'],
  ['of another type', '{"mcpServers":{"s":{"type":"sse","url":"http://x"}}}', 'is of type "sse"'],
  ['another address', '{"mcpServers":{"s":{"url":"file:///x"}}}', 'has no http address'],
  ['an unknown variable', '{"mcpServers":{"s":{"command":"${NOT_SET}"}}}', 'variable NOT_SET'],
])('a file that is %s is refused before a session is made', async (_, content, said) => {
  const mcp = content.startsWith('/') ? content : await file('servers.json', content);
  const { err, exit } = await chatWith(mcp, {});
  expect(err).toContain(said);
  expect(exit).toBe(2);
});
