import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// To load modules anew for each test file took longer than most tests. A file that replaces modules, or asks what is not loaded yet, needs its own.
const replacing = [
  'test/engine/compression/work-done.test.ts',
  'test/engine/live/in-parts.test.ts',
  'test/engine/live/read-ahead.test.ts',
  'test/store/upcast.test.ts',
  'test/tokenizer/tiktoken.test.ts',
];
const setupFiles = process.env['FUZZ_SEED'] === undefined ? [] : ['test/seed.ts'];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A third of the time of two workers went by waiting: for locked trackers, stores in use, browsers.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    coverage: { include: ['src/**', 'machines/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...replacing, 'test/e2e/**'],
          isolate: false,
          setupFiles,
        },
      },
      { extends: true, test: { name: 'alone', include: replacing, setupFiles } },
    ],
  },
});
