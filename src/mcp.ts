// A server of the Model Context Protocol over a store, for a program to connect to any transport.
export { mcpServer, type McpOptions } from './adapters/mcp/mcp-server.ts';
