import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestModule, type TestSpecification } from 'vitest/node';

// One worker runs the trials in their order, over sources that are replaced while they are loaded.

const folder = process.env['MUTANTS']!;
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const sources = read('sources.json') as Record<string, string>;
const place = (path: string): number => Number(/(\d+)\.test\.ts$/.exec(path)![1]);

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => place(a.moduleId) - place(b.moduleId));
  }
}

/** Says of each trial what came of it, as soon as it is over. */
const teller = {
  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration } = module.diagnostic();
    const errors = [
      ...module.errors(),
      ...[...module.children.allTests()].flatMap((test) => test.result().errors ?? []),
    ];
    const said = {
      trial: place(module.moduleId),
      state: module.state(),
      seconds: (collectDuration + duration) / 1000,
      isEndless: errors.some(({ message }) => message.includes('Hit count limit')),
      why: errors[0]?.message ?? '',
    };
    appendFileSync(join(folder, 'said.jsonl'), `${JSON.stringify(said)}\n`);
    process.stdout.write('.');
  },
};

export default defineConfig({
  plugins: [
    { name: 'mutants', enforce: 'pre', load: (id) => sources[relative(process.cwd(), id)] },
  ],
  test: {
    include: ['trials/*.test.ts'],
    setupFiles: ['test/seed.ts', 'tools/mutants/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    experimental: { fsModuleCache: true, fsModuleCachePath: join(folder, 'modules') },
    reporters: [teller],
  },
});
