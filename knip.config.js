// What nothing uses. `knip` counts a test as a user; `knip --production` does not, so that code which only its own test
// reads is found: it follows the entries that end with `!`. What its own file uses is no dead code there.

/** @type {(options: { production?: boolean }) => import('knip').KnipConfig} */
// eslint-disable-next-line import/no-default-export -- as knip asks for it
export default ({ production = false }) => ({
  entry: [
    'src/index.ts!',
    'src/{ai-sdk,anthropic,langchain,mcp,ollama,openai,openai-agents,opencode,pi}.ts!',
    'src/core/index.ts!',
    'machines/index.ts!',
    'src/testing/index.ts!',
    'src/testing/{fast-check,vitest}/index.ts!',
    'src/cli/main.ts!',
    'extensions/*.js!',
    'src/viewer/page/inspector/main.tsx!',
    'src/viewer/page/session/main.tsx!',
    'scripts/*.mjs',
    'test/**/*.test.ts',
    'test/seed.ts',
    'test/packed/*',
    'test/{store/writer,engine/effects/appender,cli/chat/mcp/strange-server}.mjs',
    'tools/attack/main.ts!',
    'tools/bounds/{main,expressions-main}.ts!',
    'tools/damage/{main,worker}.ts!',
    'tools/bench/{main,rivals-main,child}.ts!',
    'tools/eval/cli/main.ts!',
    'tools/golden/main.ts!',
    'tools/laws/main.ts!',
    'tools/mutants/{main,machines-main,changed,trial,setup,vitest.config}.ts!',
    'tools/processes/{main,worker}.ts!',
    'tools/truncation/main.ts!',
    'tools/truncation/lives/victim.ts!',
  ],
  project: [
    'src/**/*.{ts,tsx}!',
    'machines/**/*.ts!',
    'test/**/*.{ts,mjs}',
    'tools/**/*.ts!',
    'scripts/*.mjs',
  ],
  ignoreBinaries: ['man', 'mkfifo', 'script', 'umount'],
  ignoreExportsUsedInFile: production || { interface: true, type: true },
});
