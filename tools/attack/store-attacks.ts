import { appendFile, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { randomOf } from '../random.ts';
import {
  errorOf,
  runNode,
  sessions,
  wordsOf,
  type Attack,
  type Outcome,
  type Stage,
} from './stage.ts';

// What is done to a store that is closed: by a disk, by another program, by somebody.

const pairs = 220;

/** Whole numbers below a limit, the same for the same trial. */
function dice(trial: number): (below: number) => number {
  const next = randomOf(trial + 1);
  return (below) => Math.floor(next() * below);
}

/** The file of a store that an attack is on. */
async function fileOf(
  path: string,
  form: RegExp,
  pick: (below: number) => number,
): Promise<string> {
  const names = (await readdir(path)).filter((name) => form.test(name)).toSorted();
  return join(path, names[pick(names.length)]!);
}

/** What the commands say of a store that something was done to: everything, or that something is missing. */
async function judge(stage: Stage, path: string): Promise<Outcome> {
  const refusals = new Set<string>();
  for (const words of [['ls'], ['verify']]) {
    const { signal } = await stage.run([...words, '--store', path]);
    if (signal !== null) return { harm: `${words[0]} ended by ${signal}` };
  }
  const listed = await stage.run(['ls', '--store', path, '--json']);
  if (listed.code === 0) {
    const ids = listed.stdout.matchAll(/"id":"([^"]+)"/g);
    if ([...ids].length < sessions.length) return { harm: 'a session is gone in silence' };
  }
  for (const [index, session] of sessions.entries()) {
    const log = await stage.run(['log', `@${sessions.length - index}`, '--store', path, '--json']);
    if (log.signal !== null) return { harm: `log ended by ${log.signal}` };
    if (log.code !== 0) {
      const code = errorOf(log);
      if (code === '') return { harm: `log failed without a code: ${log.stderr.slice(0, 80)}` };
      refusals.add(code);
      continue;
    }
    const said = [...log.stdout.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text);
    const silent = Array.from({ length: 2 * pairs }, (_, n) => wordsOf(session, n)).filter(
      (text) => !said.includes(text),
    );
    if (silent.length > 0) return { harm: `${silent.length} entries gone in silence` };
    if (said.some((text) => !text?.includes(session))) return { harm: 'an entry of another' };
  }
  return { instead: [...refusals].join(', ') || 'everything is there' };
}

/** An attack that changes a file of a closed store. */
const onFile = (
  [done, trials]: readonly [done: string, trials: number],
  form: RegExp,
  change: (file: string, pick: (below: number) => number, path: string) => Promise<unknown>,
): Attack => ({
  done,
  trials,
  run: async (stage, trial) => {
    const path = await stage.store(pairs);
    const pick = dice(trial);
    await change(await fileOf(path, form, pick), pick, path);
    return judge(stage, path);
  },
});

const log = /\.log$/;
const any = /\.(?:log|ldb)$|^(?:MANIFEST|CURRENT)/;

async function flipBit(file: string, pick: (below: number) => number): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length > 0) bytes[pick(bytes.length)]! ^= 1 << pick(8);
  await writeFile(file, bytes);
}

/** The rows of a closed store, by LevelDB's own means, and the note of its files as if it had closed itself. */
async function onRows(
  path: string,
  change: (db: Level, keys: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const db = new Level(path);
  await db.open();
  await change(db, await db.keys().all());
  await db.close();
  await rm(join(path, 'guard.json'), { force: true });
}

/** An attack on rows: those whose keys have a form, the one at a share of them. */
const onRow = (
  done: string,
  [form, share]: readonly [form: RegExp, share: number],
  change: (db: Level, key: string) => Promise<unknown>,
): Attack => ({
  done,
  trials: 1,
  run: async (stage) => {
    const path = await stage.store(pairs);
    await onRows(path, (db, keys) => {
      const own = keys.filter((key) => form.test(key));
      return change(db, own[Math.min(own.length - 1, Math.floor(own.length * share))]!);
    });
    return judge(stage, path);
  },
});

const spoil = (db: Level, key: string): Promise<void> => db.put(key, '{"bad":');

/** Opens a store twice in one process, the second time through a link, and appends by both. */
const twice = `
const [index, path, link] = process.argv.slice(1);
const { openStore } = await import(index);
const store = await openStore(path);
const session = await store.open('new', { window: 8192 });
try {
  const second = await openStore(link);
  console.log('opened twice');
} catch (error) { console.log(error.code); }
for (let n = 0; n < 30; n += 1) await session.append({ role: 'user', content: 'Kept ' + n });
await store.close();
const again = await openStore(path);
console.log((await again.open('new')).state.entries);
await again.close();
`;

export const storeAttacks: readonly Attack[] = [
  onFile(['one bit of a log of a closed store flipped', 12], log, flipBit),
  onFile(['one bit of any file of it flipped', 24], any, flipBit),
  onFile(['a log emptied', 1], log, (file) => truncate(file)),
  onFile(['a file cut somewhere', 12], any, async (file, pick) =>
    truncate(file, pick((await readFile(file)).length)),
  ),
  onFile(['a log deleted', 1], log, (file) => rm(file)),
  onFile(['a file deleted', 8], any, (file) => rm(file)),
  onFile(['a log replaced by another file', 4], log, (file, pick) =>
    writeFile(
      file,
      Uint8Array.from({ length: 40_000 }, () => pick(256)),
    ),
  ),
  onFile(['a file replaced by another file of it', 4], any, async (file, pick, path) =>
    writeFile(file, await readFile(await fileOf(path, any, pick))),
  ),
  onFile(['bytes put behind a log', 4], log, (file) => appendFile(file, 'x'.repeat(5_000))),
  onRow('an entry missing in the middle', [/^!entry!/, 0.3], (db, key) => db.del(key)),
  onRow('a journal record missing in the middle', [/^!journal!/, 0.3], (db, key) => db.del(key)),
  onRow('the newest journal record missing', [/^!journal!/, 1], (db, key) => db.del(key)),
  onRow('an old entry spoiled', [/^!entry!/, 0.1], spoil),
  onRow("a session's newest journal record spoiled", [/^!journal!/, 1], spoil),
  onRow('the header of the store spoiled', [/^!meta!/, 0], spoil),
  onRow('the header of a session missing', [/^!session!/, 0], (db, key) => db.del(key)),
  {
    done: 'the same store opened twice in a process, through a link',
    trials: 1,
    run: async (stage) => {
      const [path, link] = [stage.path('s'), stage.path('link')];
      await symlink(path, link);
      const index = new URL('../../../../dist/index.js', import.meta.url).href;
      const words = ['--input-type=module', '-e', twice, index, path, link];
      const { stdout, stderr } = await runNode(words);
      const [code, kept] = stdout.trim().split('\n');
      return code === 'STORE_IN_USE' && kept === '30'
        ? { instead: code }
        : { harm: `${code}; ${kept} of 30 kept ${stderr.slice(0, 80)}` };
    },
  },
  {
    done: 'a folder of a store deleted while it is written',
    trials: 1,
    run: async (stage) => {
      const { stdout } = await runNode([
        '--input-type=module',
        '-e',
        `const [index, path] = process.argv.slice(1);
         const { openStore } = await import(index);
         const { rmSync } = await import('node:fs');
         const store = await openStore(path);
         const session = await store.open('s', { window: 8192 });
         await session.append({ role: 'user', content: 'Kept.' });
         rmSync(path, { recursive: true });
         let acknowledged = 0;
         try { for (; acknowledged < 200; acknowledged += 1) await session.append({ role: 'user', content: 'Lost? '.repeat(4000) }); }
         catch (error) { console.log(error.code); }
         try { await store.close(); } catch (error) { console.log(error.code); }
         console.log('ended ' + acknowledged);`,
        new URL('../../../../dist/index.js', import.meta.url).href,
        stage.path('s'),
      ]);
      const told = /[A-Z]{3,}(?:_[A-Z]+)+/.exec(stdout)?.[0];
      if (told === undefined) return { harm: `nothing said: ${stdout.trim()}` };
      return { instead: told };
    },
  },
];

/** A disk of two megabytes; null where this system does not let one be made. */
export async function smallDisk(stage: Stage): Promise<string | null> {
  const { spawnSync } = await import('node:child_process');
  const { mkdir } = await import('node:fs/promises');
  const at = stage.path('disk');
  await mkdir(at);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', at]);
  return status === 0 ? at : null;
}
