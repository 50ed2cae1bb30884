import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Session } from '../../src/index.ts';
import { messageOf, print } from './work.ts';

/** How long each row is measured, in milliseconds; the best of the rounds counts. */
const time = 3_000;
const rounds = 3;
const many = 64;

/** Prints appends a second over LevelDB and PostgreSQL, one alone and 64 sessions at once, at `power`. */
export async function compareHosts(address: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'flamestack-'));
  const hosts = { LevelDB: join(folder, 'store'), PostgreSQL: address };
  print('| host | one session | 64 sessions at once |\n| --- | ---: | ---: |');
  try {
    for (const [name, location] of Object.entries(hosts))
      print(`| ${name} | ${(await bestOf(location)).map(inEnglish).join(' | ')} |`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const inEnglish = (rate: number): string => rate.toLocaleString('en');

/** The most appends a second, by one session and by many. */
async function bestOf(location: string): Promise<readonly number[]> {
  const best = [0, 0];
  for (let round = 0; round < rounds; round += 1)
    for (const [at, sessions] of [1, many].entries())
      best[at] = Math.max(best[at]!, await appendsOf(location, `r${round}-${sessions}`, sessions));
  return best;
}

/** Appends a second, to so many sessions at once, each waiting for its last. */
async function appendsOf(location: string, prefix: string, sessions: number): Promise<number> {
  await using store = await openStore(location);
  const handles = await Promise.all(
    Array.from({ length: sessions }, (_, n) => store.open(`${prefix}-${n}`, { window: 128_000 })),
  );
  const begun = performance.now();
  let done = 0;
  const append = async (session: Session): Promise<void> => {
    for (let n = 0; performance.now() - begun < time; n += 1) {
      await session.append(messageOf(`k${n}`));
      done += 1;
    }
  };
  await Promise.all(handles.map(append));
  return Math.round((done * 1_000) / (performance.now() - begun));
}
