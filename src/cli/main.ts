#!/usr/bin/env node
import { runInProcess } from './command-line/process.ts';

await runInProcess(async (words, io) => {
  const [command, ...others] = words;
  // An agent waits for its hook at every turn: it loads nothing else.
  if (command === 'hook' && others.length > 0 && others.every((word) => !word.startsWith('-')))
    return (await import('./hosts/hook.ts')).hook(others, io);
  return (await import('./program.ts')).main(words, io);
});
