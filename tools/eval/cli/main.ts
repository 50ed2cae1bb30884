import { runInProcess } from '../../../src/cli/command-line/process.ts';
import { main } from './program.ts';

await runInProcess(main);
