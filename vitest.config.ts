import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: process.env['FUZZ_SEED'] === undefined ? [] : ['test/seed.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: '100%',
    coverage: { include: ['src/**', 'machines/**'] },
  },
});
