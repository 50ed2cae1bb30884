import { defineConfig } from 'vitest/config';

// Lives over real clients and in agents' own programs, against scripted providers on loopback, and the pages in a
// browser: `npm run e2e -- anthropic`, `npm run e2e -- pages`.
export default defineConfig({
  test: { include: ['test/e2e/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
