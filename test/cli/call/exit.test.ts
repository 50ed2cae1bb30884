import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { callOf } from '../../../src/cli/call/call.ts';
import { exitMeanings, exits, toFailure } from '../../../src/cli/call/exit.ts';
import { flamestack } from '../call.ts';
import type { Io } from '../../../src/cli/io.ts';
import { EngineError, type ErrorCode } from '../../../src/names.ts';

const stream = { write: () => undefined };
const adviceOn = (code: ErrorCode, store?: string, env: Io['env'] = {}): string => {
  const { signal } = new AbortController();
  const io: Io = { stdin: Readable.from([]), stdout: stream, stderr: stream, env, signal };
  return toFailure(new EngineError(code, 'no', { detail: {} }), callOf(io, 'ls', { store })).advice;
};

test.each([
  ['RECORD_DAMAGED', "flamestack verify --store 'my notes'. "],
  ['RECORD_DAMAGED', "flamestack salvage 'my notes' --to <new folder>"],
  ['SEQUENCE_GAP', "flamestack salvage 'my notes' --to <new folder>"],
  ['SESSION_NOT_FOUND', "`flamestack ls --store 'my notes'`"],
  ['SNAPSHOT_NOT_FOUND', "`flamestack snapshot ls --all --store 'my notes'`"],
  ['STORE_NOT_FOUND', "<your session file> --store 'my notes'"],
] as const)('what %s advises names the store: %s', (code, told) => {
  expect(adviceOn(code, 'my notes')).toContain(told);
  expect(adviceOn(code, undefined, { FLAMESTACK_STORE: 'my notes' })).toContain(told);
  expect(adviceOn(code)).toContain(told.replace(/ (?:--store )?'my notes'/, ''));
});

test('a full disk is called so, with what to do', () => {
  const full = 'IO error: 7.log: No space left on device';
  const inStore = new EngineError('STORE_UNAVAILABLE', `A write failed (${full})`, {
    detail: { location: 'notes' },
  });
  expect(toFailure(inStore).advice).toMatch(/^Make room on the disk/);
  const ofFile = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
    path: 'x.jsonl',
  });
  expect(toFailure(ofFile)).toMatchObject({
    code: 'OUTPUT_FAILED',
    message: '"x.jsonl" cannot be written: no space left on device',
    detail: { reason: 'ENOSPC', path: 'x.jsonl' },
    advice: expect.stringContaining('--out'),
    exit: exits.failed,
  });
});

test.each(['Read-only file system', 'Permission denied', 'EACCES: permission denied, mkdir'])(
  'a folder that may not be written is called so, with what goes on: %s',
  (reason) => {
    const message = `Store "notes" cannot be used: IO error: notes/LOCK: ${reason}`;
    const locked = new EngineError('STORE_UNAVAILABLE', message, { detail: { location: 'notes' } });
    expect(toFailure(locked).advice).toMatch(/^You may not write there\./);
    const hidden = `Store "notes" cannot be used: EACCES: permission denied, scandir 'notes'`;
    const unread = new EngineError('STORE_UNAVAILABLE', hidden, { detail: { location: 'notes' } });
    expect(toFailure(unread).advice).toMatch(/^You may not read there\./);
    const server = { location: 'postgres://db', reason: '42501' };
    const refused = new EngineError('STORE_UNAVAILABLE', message, { detail: server });
    expect(toFailure(refused).advice).toBe('');
  },
);

test('help and docs list every exit code, and no other', async () => {
  const codes = Object.entries(exits).map(([name, code]) => [
    code,
    exitMeanings[name as keyof typeof exits],
  ]);
  const { exit, out } = await flamestack('help exit-codes');
  expect(exit).toBe(exits.done);
  const listed = [...out.matchAll(/^  (\d+) +(.*)$/gm)].map(([, code, text]) => [
    Number(code),
    text,
  ]);
  expect(listed).toEqual(codes);
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  const docs = await readFile(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
  const rows = docs.slice(docs.indexOf('## Exit codes')).matchAll(/^\| (\d+) \| (.*) \|$/gm);
  const told = [...rows].map(([, code, text]) => [Number(code), text!.replaceAll('`', '')]);
  expect(told).toEqual(codes);
});
