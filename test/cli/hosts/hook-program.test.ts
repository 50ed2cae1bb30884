import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { build, program } from '../pty.ts';
import { event, said, workedIn, writeTranscript } from './transcript.ts';

const talk = [said('user', 'Ship it'), said('assistant', 'The balance of R-77 is 4711.')];

beforeAll(build);

test('when a turn ends, a process of its own takes in what is new, again and again', async () => {
  const { project, store, transcript } = await workedIn(talk);
  const stop = event('Stop', { cwd: project, transcript_path: transcript });
  await tell(stop);
  await untilEntries(store, 2);
  await writeTranscript(transcript, 's1', [...talk, said('user', 'Go on')]);
  await tell(stop);
  await untilEntries(store, 3);
});

test('where another process has the store for long, what is new is taken in after it', async () => {
  const { project, store, transcript } = await workedIn(talk);
  const other = await openStore(store);
  await tell(event('Stop', { cwd: project, transcript_path: transcript }));
  await sleep(4_000);
  await other.close();
  await untilEntries(store, 2);
});

/** Tells the program of an event; resolves with its answer. */
function tell(given: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [program, 'hook', 'claude-code'], (error, answer) =>
      error === null ? resolve(answer) : reject(error),
    );
    child.stdin?.end(given);
  });
}

async function untilEntries(store: string, entries: number): Promise<void> {
  for (;;) {
    const found = await entriesIn(store).catch(() => 0);
    if (found === entries) return;
    await sleep(50);
  }
}

async function entriesIn(folderOf: string): Promise<number> {
  await using store = await openStore(folderOf, { readOnly: true });
  for await (const { id } of store.sessions()) return (await store.open(id)).state.entries;
  return 0;
}
