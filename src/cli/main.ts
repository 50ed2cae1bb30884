#!/usr/bin/env node
import { runInProcess } from './process.ts';
import { main } from './program.ts';

await runInProcess(main);
