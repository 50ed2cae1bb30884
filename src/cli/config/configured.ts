import type { Io } from '../io.ts';
import { projectPath, readConfig, userPath, type ConfigFile } from './config-file.ts';
import { settingNames, settingOf } from './settings.ts';

// What a file says stands where nothing else does: an option comes first, then the surroundings, the
// file of the project, and a person's own. So a file is read into the variables that nobody set, and
// whatever reads those needs to know of no file.

/** The surroundings with what files of settings say; throws `OPTION_INVALID` for a file that is wrong. */
export async function configured(io: Io): Promise<Io> {
  const files = await configFiles(io.env);
  for (const { faults } of files) for (const fault of faults.values()) throw fault;
  if (files.length === 0) return io;
  const env = { ...io.env };
  for (const name of settingNames) {
    const { variable, beside = [] } = settingOf(name)!;
    const file = files.find(({ values }) => values.has(name));
    if (file !== undefined && [variable, ...beside].every((one) => !io.env[one]))
      env[variable] = file.values.get(name)!.value;
  }
  return {
    // Only who reads from it opens it.
    get stdin() {
      return io.stdin;
    },
    stdout: io.stdout,
    stderr: io.stderr,
    signal: io.signal,
    startPager: io.startPager,
    env,
    processEnv: io.env,
  };
}

/** The files of settings that there are, the one that counts more first. */
export async function configFiles(env: Io['env']): Promise<readonly ConfigFile[]> {
  const project = await readConfig('project', projectPath());
  const user = await readConfig('user', userPath(env));
  return [project, user].filter((one) => one !== null);
}
