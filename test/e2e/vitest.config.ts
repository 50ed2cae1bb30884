import { defineConfig } from 'vitest/config';

// Lives over real clients, against scripted providers on loopback: `npm run e2e -- anthropic`.
export default defineConfig({
  test: { include: ['test/e2e/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
