import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isEngineError } from '../../src/core/values/error.ts';
import { laws } from '../../src/testing/laws/law.ts';
import { playFile, playMoves } from './play.ts';
import { torture } from './torture.ts';
import type { Played, PlayOptions } from './watch.ts';

// npm run laws -- [files…] [--limits 2000,4000] [--every 50] [--json]
//
// Plays session files through windows of each size and checks every law after
// every append. Without files: the torture sequence and the examples. Exits
// with 4 if a law was broken, with 2 if nothing could be read.

const usage = `usage: npm run laws -- [files…] [--limits 2000,4000,8000,16000,32000] [--every 50] [--json]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limits: { type: 'string', default: '2000,4000,8000,16000,32000' },
    every: { type: 'string', default: '50' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** Something that can be played: a file, or the torture sequence. */
interface Piece {
  readonly name: string;
  play(options: PlayOptions): Promise<Played>;
}

const file = (path: string): Piece => ({
  name: path,
  play: (options) => playFile(path, options),
});

async function pieces(): Promise<readonly Piece[]> {
  if (positionals.length > 0) return positionals.map(file);
  const examples = await readdir('examples').catch(() => []);
  return [
    ...torture.map(({ name, ...rest }) => ({
      name: `torture: ${name}`,
      play: (options: PlayOptions) =>
        playMoves(rest.moves(options.limit), { ...rest, ...options, name: `torture: ${name}` }),
    })),
    ...examples
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => file(`examples/${name}`)),
  ];
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const limits = values.limits.split(',').map(Number);
  const every = Number(values.every);
  if (![...limits, every].every((value) => Number.isSafeInteger(value) && value > 0)) {
    console.error(usage);
    return 2;
  }
  const results: Played[] = [];
  const unreadable: { name: string; reason: string }[] = [];
  for (const piece of await pieces())
    for (const limit of limits) {
      try {
        results.push(await piece.play({ limit, every, onProgress: progress(piece.name, limit) }));
      } catch (error) {
        if (!isEngineError(error)) throw error;
        const { code } = error;
        if (code !== 'SYSTEM_TOO_LARGE' && !code.startsWith('IMPORT_')) throw error;
        unreadable.push({ name: `${piece.name} at ${limit}`, reason: error.message });
        if (code !== 'SYSTEM_TOO_LARGE') break;
      } finally {
        if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
      }
    }
  if (values.json) console.log(JSON.stringify({ results, unreadable }, null, 2));
  else print(results, unreadable);
  if (results.some((played) => broken(played) > 0)) return 4;
  return results.length > 0 ? 0 : 2;
}

const broken = ({ violations }: Played): number =>
  Object.values(violations).reduce((sum, count) => sum + count, 0);

function progress(name: string, limit: number): (done: number) => void {
  if (!process.stderr.isTTY) {
    console.error(`${name} at ${limit}`);
    return () => undefined;
  }
  return (done) => {
    if (done % 25 === 0) process.stderr.write(`\r${name} at ${limit}: ${done}\u001b[K`);
  };
}

const columns = ['file', 'limit', 'entries', 'checked', 'compressions', 'epochs', 'violations'];

function print(
  results: readonly Played[],
  unreadable: readonly { name: string; reason: string }[],
): void {
  const rows = results.map((played) => [
    played.name.split('/').at(-1)!,
    ...[played.limit, played.entries, played.checked, played.compressions, played.epochs].map(
      String,
    ),
    byLaw(played),
  ]);
  const widths = columns.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 || column === columns.length - 1
          ? cell.padEnd(widths[column]!)
          : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd();
  console.log([columns, ...rows].map(line).join('\n'));
  for (const { name, reason } of unreadable) console.log(`skipped ${name}: ${reason}`);
  for (const { name, limit, found } of results)
    for (const { law, what, line } of found)
      console.log(`${name} at ${limit}, line ${line}: ${law}: ${what}`);
  const checked = results.reduce((sum, played) => sum + played.checked, 0);
  const count = results.reduce((sum, played) => sum + broken(played), 0);
  console.log(`${checked} assemblies checked, ${count} violations of ${laws.length} laws`);
}

function byLaw({ violations }: Played): string {
  const named = laws.filter((law) => violations[law] > 0);
  return named.length === 0 ? '0' : named.map((law) => `${law} ${violations[law]}`).join(', ');
}

process.exitCode = await main();
