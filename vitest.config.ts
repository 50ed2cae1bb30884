import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// `npm test` runs `shared` and `alone`; the others have scripts of their own, which `.ci/run` calls, too.
//
//   shared, alone   what the code does and promises
//   e2e             the program as it is built, at terminals; lives over real clients, in adapters and in agents' own programs, against scripted
//                   providers on loopback; and the pages in a browser
//   long            cuts, kills and growth, as long as is asked for
//   tools           the instruments that measure and attack

/** To load modules anew for each test file took longer than most tests. A file that replaces modules, or asks what is not loaded yet, needs its own. */
const replacing = [
  'test/cli/sessions/store/made-store.test.ts',
  'test/engine/compression/work-done.test.ts',
  'test/engine/live/in-parts.test.ts',
  'test/engine/live/read-ahead.test.ts',
  'test/store/guard-look.test.ts',
  'test/store/level/copy-folder.test.ts',
  'test/store/upcast.test.ts',
  'test/tokenizer/tiktoken.test.ts',
];
const long = ['growth', 'recovery', 'torture', 'truncation'].map(
  (name) => `test/promise/${name}.test.ts`,
);
/** What every adapter promises, with the libraries and trackers that it is made for. */
const adapters = ['contract/contract', 'beads/beads'].map(
  (name) => `test/adapters/${name}.test.ts`,
);
/** What builds the program, and starts it in processes and terminals of its own. */
const program = [
  'build',
  'cli/browse/browse',
  'cli/call/at-terminal',
  'cli/chat/terminal/suspended',
  'cli/chat/terminal/terminal',
  'cli/command-line/start-up',
  'cli/completion/shells',
  'cli/hosts/hook-program',
  'cli/hosts/mcp',
  'cli/inspect/page',
  'cli/sessions/page-links',
  'cli/view-program',
  'docs/api',
  'docs/man',
  'engine/durable/example',
  'viewer/kept-page',
].map((name) => `test/${name}.test.ts`);
const apart = {
  e2e: ['test/e2e/**/*.test.ts', ...adapters, ...program],
  long,
  tools: ['test/tools/**/*.test.ts'],
};
/** What `npm run long` does at length and `npm test` in small. */
const alsoLong = ['test/promise/room.test.ts'];
const setupFiles = process.env['FUZZ_SEED'] === undefined ? [] : ['test/seed.ts'];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    globalSetup: 'test/temporary.ts',
    // A third of the time of two workers went by waiting: for locked trackers, stores in use, browsers.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    coverage: { include: ['src/**', 'machines/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...replacing, ...Object.values(apart).flat()],
          isolate: false,
          setupFiles,
        },
      },
      { extends: true, test: { name: 'alone', include: replacing, setupFiles } },
      ...Object.entries({ ...apart, long: [...long, ...alsoLong] }).map(([name, include]) => ({
        extends: true as const,
        test: { name, include, setupFiles },
      })),
    ],
  },
});
