import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorOf, sessions, type Attack, type Outcome, type Stage } from './stage.ts';

// What a repository brings that somebody clones: links in the places where a project keeps its own.

/** Words that stand in a store and a file elsewhere, and are not for who works in the repository. */
const secret = 'Between the two of us.';

const today = new Date().toISOString().slice(0, 10);

/** Links of a repository, each with what it leads to: `store` is a store elsewhere, `aside` a folder, `secret` a file. */
const layouts: readonly (readonly [path: string, target: string])[] = [
  ['.flamestack', '../store'],
  ['.flamestack', 'way/store'],
  ['.flamestack', '../nothing-yet'],
  ['.flamestack/owner.json.tmp', '../../aside/secret'],
  ['.flamestack/guard.json.tmp', '../../aside/secret'],
  ['.flamestack/MANIFEST-000001', '../../aside/secret'],
  ['.flamestack/LOCK', '../../aside/new'],
  ['.flamestack/readers', '../../aside'],
  ['a', '../aside'],
  ['memory', '../aside'],
  [`memory/${today}.md`, '../../aside/secret'],
  ['memory/NOW.md', '../../aside/secret'],
];

/** Commands of somebody who works there. */
const commands: readonly (readonly string[])[] = [
  ['ls'],
  ['show', '@1'],
  ['log', '@1'],
  ['search', 'Request'],
  ['import', 'session.json'],
  ['checkpoint', '@1', '--documents', 'memory'],
  ['undo', '@1', '--yes'],
  ['rm', '@1', '--yes'],
  ['compact'],
  ['repair'],
  ['hook', 'claude-code'],
];

/** Everything below a folder, with its mode and what it holds. */
async function held(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const each = names.map(async (name) => {
    const path = join(folder, name);
    const found = await stat(path);
    return [name, found.mode, found.isFile() ? await readFile(path, 'latin1') : ''];
  });
  return JSON.stringify(await Promise.all(each));
}

/** Works in a repository with such a link; harm is what changed elsewhere, or is shown of it. */
async function workIn(stage: Stage, [path, target]: (typeof layouts)[number]): Promise<Outcome> {
  const root = stage.path('root');
  await mkdir(join(root, path, '..'), { recursive: true });
  await stage.store(2);
  await mkdir(stage.path('aside'));
  await writeFile(stage.path('aside/secret'), secret);
  if (target.startsWith('way')) await symlink('..', join(root, 'way'));
  await symlink(target, join(root, path));
  if (path === 'a') await writeFile(join(root, 'flamestack.json'), '{ "store": "a/b" }');
  if (path.startsWith('memory'))
    await cp(stage.path('store'), join(root, '.flamestack'), { recursive: true });
  const messages = [{ role: 'user', content: 'Go on.' }];
  await writeFile(join(root, 'session.json'), JSON.stringify({ messages }));
  const before = await Promise.all([stage.path('store'), stage.path('aside')].map(held));
  const refusals = new Set<string>();
  for (const words of commands) {
    const event = {
      hook_event_name: 'SessionStart',
      source: 'compact',
      cwd: root,
      session_id: 's',
      transcript_path: join(root, 'session.json'),
    };
    const given = words[0] === 'hook' ? { input: JSON.stringify(event) } : {};
    const json = words[0] === 'hook' ? [] : ['--json'];
    const told = await stage.run([...words, ...json], { cwd: root, ...given });
    if (told.signal !== null) return { harm: `${words[0]} ended by ${told.signal}` };
    const isShown = !path.startsWith('memory') && sessions.some((one) => told.stdout.includes(one));
    if (told.stdout.includes(secret) || isShown) return { harm: `${words[0]} shows what is there` };
    if (told.code !== 0) refusals.add(errorOf(told));
  }
  const after = await Promise.all([stage.path('store'), stage.path('aside')].map(held));
  if (after.join() !== before.join()) return { harm: `${path}: what is elsewhere changed` };
  return refusals.size > 0
    ? { instead: [...refusals].toSorted().join(', ') }
    : { harm: `${path}: nothing was refused` };
}

export const repositoryAttacks: readonly Attack[] = [
  {
    done: 'links in a repository, in place of its store, in it, and among its documents, that lead to a store and files elsewhere',
    trials: layouts.length,
    run: (stage, trial) => workIn(stage, layouts[trial]!),
  },
];
