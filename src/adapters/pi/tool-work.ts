import { isAbsolute, join, relative } from 'node:path';
import { dirtyTree } from '../beads/beads-tool.ts';
import { commentMade, commitsMade } from '../beads/git-commit.ts';
import { issueCommands } from '../beads/issue-command.ts';
import { fieldsOf, worded } from '../fields.ts';
import type { FollowedProject } from './followed-project.ts';
import type { PiEvent, PiMessage } from './host.ts';
import { textOf } from './recent-work.ts';

// What the agent does to issues, and to the files of their project, with the tools of pi.

/** Why a command is not to claim the issue that it would claim; null where it may go on. */
export async function refuseClaim(call: PiEvent, project: FollowedProject): Promise<string | null> {
  const claim = issueCommands(commandOf(call)).find(({ does }) => does === 'claim');
  return claim === undefined ? null : dirtyTree(claim.id, project);
}

/** Tells the tracker what came of a call; resolves with whether the status of an issue may be another now. */
export async function trackResult(result: PiEvent, project: FollowedProject): Promise<boolean> {
  const { toolName, input } = result;
  const isDone = result['isError'] !== true;
  if (toolName === 'bash') {
    const command = commandOf(result);
    // What fails after a commit does not take it back.
    for (const commit of commitsMade(command, textOf(result as Pick<PiMessage, 'content'>)))
      project.tracker.send({ type: 'tracker.committed', ...commit });
    return isDone && trackCommand(command, project);
  }
  const { path } = fieldsOf(input);
  const isEdit = toolName === 'write' || toolName === 'edit';
  if (isDone && isEdit && typeof path === 'string')
    project.tracker.send({ type: 'tracker.edited', path: inProject(path, project.cwd) });
  return false;
}

/** Looks what a command did to issues; resolves with whether it named any. */
async function trackCommand(command: string, project: FollowedProject): Promise<boolean> {
  const { beads, tracker } = project;
  const noted = commentMade(command);
  if (noted !== null && noted === tracker.issue()) tracker.send({ type: 'tracker.noted' });
  const commands = issueCommands(command);
  // The text may name what was never run: what became of the issues says their tracker.
  for (const { does, id } of commands) {
    const [issue] = does === 'close' ? await beads.show([id]) : [];
    await (issue?.status === 'closed' ? tracker.close(issue.id, 'done') : tracker.look());
  }
  return commands.length > 0;
}

const commandOf = ({ input }: PiEvent): string => worded(fieldsOf(input)['command']);

/** A path as the project knows it. */
function inProject(path: string, cwd: string): string {
  const inside = relative(cwd, isAbsolute(path) ? path : join(cwd, path));
  return inside.startsWith('..') ? path : inside;
}
