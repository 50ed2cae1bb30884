import { playUntilKilled } from './kill.ts';

// The process that is killed: file, window, which summary it asks for last, location.
const [file, window, summary, location] = process.argv.slice(2);
await playUntilKilled({ file: file!, window: Number(window), summary: Number(summary) }, location!);
