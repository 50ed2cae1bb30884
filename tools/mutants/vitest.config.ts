import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// One worker runs the named tests in their order, over sources that are replaced while they are loaded.

const folder = process.env['MUTANTS']!;
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const sources = read('sources.json') as Record<string, string>;
const tests = read('tests.json') as string[];

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const at = ({ moduleId }: TestSpecification): number =>
      tests.indexOf(relative(process.cwd(), moduleId));
    return files.toSorted((a, b) => at(a) - at(b));
  }
}

export default defineConfig({
  plugins: [
    { name: 'mutants', enforce: 'pre', load: (id) => sources[relative(process.cwd(), id)] },
  ],
  test: {
    include: tests,
    setupFiles: ['test/seed.ts', 'tools/mutants/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    experimental: { fsModuleCache: true, fsModuleCachePath: join(folder, 'modules') },
    reporters: ['default', ['json', { outputFile: join(folder, 'result.json') }]],
  },
});
