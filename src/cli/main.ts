#!/usr/bin/env node
import { runInProcess } from './command-line/process.ts';
import { main } from './program.ts';

await runInProcess(main);
