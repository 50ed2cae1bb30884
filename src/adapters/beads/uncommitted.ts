import { execFile } from 'node:child_process';

/** A file that differs from the last commit. */
export interface UncommittedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly change: 'added' | 'conflicted' | 'deleted' | 'modified' | 'renamed' | 'untracked';
}

/**
 * The files that are not committed, without those of trackers and of Flamestack itself; none where there is no git,
 * or where it takes longer than `timeout` milliseconds, 3,000 unless told. Never rejects.
 */
export async function uncommittedFiles(
  cwd: string,
  { timeout = 3_000 }: { readonly timeout?: number } = {},
): Promise<readonly UncommittedFile[]> {
  const args = ['--no-optional-locks', 'status', '--porcelain', '-z', '--', ...meant];
  const options = { cwd, timeout, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const;
  const listed = await new Promise<string>((resolve) => {
    execFile('git', args, options, (error, stdout) => resolve(error === null ? stdout : ''));
  });
  return filesIn(listed);
}

/** The whole repository, also where `cwd` is deep in it, but for what trackers write. */
const meant = [
  ':/',
  ':(top,exclude,glob)**/.beads/**',
  ':(top,exclude,glob)**/.flamestack/**',
] as const;

/** The files of a list whose members end with NUL; a renamed one is followed by its old name. */
function filesIn(listed: string): readonly UncommittedFile[] {
  const members = listed.split('\0');
  const files: UncommittedFile[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const [, signs, path] = /^(..) ([^]+)$/.exec(members[at]!) ?? [];
    if (signs === undefined || path === undefined) continue;
    files.push({ path, change: changeOf(signs) });
    if (/[RC]/.test(signs)) at += 1;
  }
  return files;
}

function changeOf(signs: string): UncommittedFile['change'] {
  if (signs === '??') return 'untracked';
  if (/U|AA|DD/.test(signs)) return 'conflicted';
  if (/[RC]/.test(signs)) return 'renamed';
  if (signs.includes('D')) return 'deleted';
  return signs.includes('A') ? 'added' : 'modified';
}
