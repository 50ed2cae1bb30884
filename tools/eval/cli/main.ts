import { runInProcess } from '../../../src/cli/process.ts';
import { main } from './program.ts';

await runInProcess(main);
