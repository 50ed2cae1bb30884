import { realpathSync, statSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { ownPlace, projectStore, wayOut } from '../../src/adapters/project-store.ts';
import { newFolder } from '../store/folder.ts';

let [top, project, elsewhere] = ['', '', ''];
beforeEach(async () => {
  top = realpathSync(await newFolder());
  [project, elsewhere] = [join(top, 'p'), join(top, 'p-elsewhere')];
  await mkdir(join(project, 'src/deep'), { recursive: true });
  await mkdir(elsewhere);
});

const put = (path: string): Promise<unknown> => mkdir(join(project, path), { recursive: true });
const link = (path: string, to: string): Promise<void> => symlink(to, join(project, path));

test('a project is found from below, the innermost', async () => {
  const deep = join(project, 'src/deep');
  expect(projectStore(deep)).toBe(null);
  await put('.flamestack');
  expect(projectStore(deep)).toBe(join(project, '.flamestack'));
  await put('src/.flamestack');
  expect(projectStore(deep)).toBe(join(project, 'src/.flamestack'));
});

test('a project may be reached by a link, and link its store within itself', async () => {
  await symlink(project, join(top, 'way'));
  await put('.cache/store');
  await link('.flamestack', '.cache/store');
  expect(projectStore(join(top, 'way/src'))).toBe(join(top, 'way/.flamestack'));
});

test('a store that leads out of its project, or has a link out of itself, is none of the project', async () => {
  const store = join(project, '.flamestack');
  const outs: readonly (readonly [make: () => Promise<unknown>, at: string, to: string | null])[] =
    [
      [() => link('.flamestack', elsewhere), store, elsewhere],
      [() => link('.flamestack', '../p-elsewhere'), store, elsewhere],
      [() => link('.flamestack', '.'), store, project],
      [() => link('.flamestack', '/nowhere/at/all'), store, null],
      [() => link('.flamestack', '.flamestack'), store, null],
      [
        async () => (await link('hop', elsewhere), link('.flamestack', 'hop/store')),
        store,
        join(elsewhere, 'store'),
      ],
      [
        async () => (await put('.flamestack'), link('.flamestack/guard.json.tmp', '../../secret')),
        join(store, 'guard.json.tmp'),
        join(top, 'secret'),
      ],
      [
        async () => (await put('.flamestack'), link('.flamestack/owner.json.tmp', '../.git')),
        join(store, 'owner.json.tmp'),
        null,
      ],
    ];
  await mkdir(join(elsewhere, 'store'));
  await writeFile(join(top, 'secret'), '');
  for (const [make, at, to] of outs) {
    await make();
    const where = to === null ? 'nowhere' : `"${to}"`;
    expect(() => projectStore(join(project, 'src'))).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message: `"${at}" leads out of the project by a link, to ${where}`,
        detail: { option: 'store', location: at, target: to },
      }),
    );
    await rm(store, { recursive: true });
    await rm(join(project, 'hop'), { force: true });
  }
});

test('a store of another user is none of the project, nor are its documents; one of who asked for sudo is', async () => {
  await put('.flamestack');
  const location = join(project, '.flamestack');
  const owner = statSync(location).uid;
  const user = vi.spyOn(process, 'geteuid').mockReturnValue(owner + 1);
  try {
    for (const find of [
      () => projectStore(join(project, 'src/deep')),
      () => ownPlace(location, 'store'),
    ])
      expect(find).toThrow(
        expect.objectContaining({
          code: 'OPTION_INVALID',
          message: `"${location}" belongs to another user (uid ${owner})`,
          detail: { option: 'store', location, owner },
        }),
      );
    expect(ownPlace(join(project, 'memory'), 'documents')).toBe(join(project, 'memory'));
    await put('memory');
    expect(() => ownPlace(join(project, 'memory'), 'documents')).toThrow('another user');
    vi.stubEnv('SUDO_UID', String(owner));
    expect(() => projectStore(project)).toThrow('another user');
    user.mockReturnValue(0);
    if (owner !== 0) expect(projectStore(project)).toBe(location);
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
});

test('a place that is not there yet is where its folders lead', async () => {
  await link('a', elsewhere);
  expect(wayOut(join(project, 'a/b/store'), project)).toEqual({
    link: join(project, 'a/b/store'),
    target: join(elsewhere, 'b/store'),
  });
  expect(wayOut(join(project, 'src/new/store'), project)).toBe(null);
  expect(wayOut(elsewhere, project)?.target).toBe(elsewhere);
  expect(ownPlace(join(project, 'memory'), 'documents')).toBe(join(project, 'memory'));
});
