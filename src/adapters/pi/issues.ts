import { isAbsolute, join, relative } from 'node:path';
import type { TrackerEmitted } from '../../../machines/index.ts';
import { beadsToolSpec, dirtyTree } from '../beads/beads-tool.ts';
import { commentMade, commitsMade } from '../beads/git-commit.ts';
import { issueCommands } from '../beads/issue-command.ts';
import { recoveryText } from '../beads/recovery-text.ts';
import { uncommittedFiles } from '../beads/uncommitted.ts';
import { followProject, type FollowedProject } from './followed-project.ts';
import type { PiContext, PiEvent, PiHost, PiMessage } from './host.ts';
import { issueTool } from './issue-tool.ts';
import { writtenMessages } from './pi-list.ts';
import { recentWork } from './recent-work.ts';

// The issues of a project in pi, affordance by affordance as docs/seeds.md lists them. Outside a project with a tracker
// nothing of it is seen; where the tracker fails, the agent goes on.

/** Longest that pi waits for a tracker at any other moment, in milliseconds. */
const patience = 5_000;

/** Part of the window, in percent, from which on a person is warned. */
const fullWindow = 85;

/** How often the agent goes on by itself after closing issues, until a person speaks again. */
const mostContinues = 10;

/** What the agent is told of working with issues. */
const rules = [
  'This project keeps its work in issues (beads). Use the tool `beads`: ready, claim, comment, close.',
  'Claim an issue before you work on it; note progress and decisions as comments; commit, then close.',
].join('\n');

/** Follows the issues of the project that pi works in. */
export function followInPi(pi: PiHost): void {
  let project: FollowedProject | null = null;
  let primed = false;
  /** Told with each request after a compaction, until it stands in the session. */
  let unwritten: string | null = null;
  let continued = 0;
  let warned = false;

  const on = (event: string, handler: (event: PiEvent, context: PiContext) => unknown): void => {
    const quiet = (payload: PiEvent, context: PiContext): Promise<unknown> =>
      within(patience, async () => handler(payload, context));
    pi.on(event, quiet as never);
  };
  /** The project, once there is one. */
  const atWork = async () =>
    project !== null && (await project.tracker.project()) !== null ? project : null;

  on('session_start', (_, context) => {
    project?.tracker.stop();
    project = followProject(context, (event) => hear(event, context));
    primed = false;
    void offerTool(context);
  });

  /** Puts the tool on the list, once the project was found. */
  const offerTool = async (context: PiContext): Promise<void> => {
    const found = await atWork();
    if (found === null) return;
    if (!pi.getAllTools().some(({ name }) => name === beadsToolSpec.name))
      pi.registerTool(issueTool(() => project!, showStatus) as never);
    void found.outbox.flush();
    void showStatus(context);
  };

  const showStatus = ({ ui }: PiContext): Promise<unknown> =>
    within(2 * patience, async () => {
      const issue = await project!.tracker.current();
      const ready = issue === null ? await project!.beads.ready() : [];
      const { id, title } = issue ?? { id: `${ready.length}`, title: 'ready' };
      ui.setStatus('beads', `${id} ${title}`);
    });

  /** What the tracker says of the work, for an agent that knows nothing of it. */
  const recovery = async ({ cwd }: PiContext): Promise<string> =>
    recoveryText({
      rules,
      issue: await project!.tracker.current(),
      uncommitted: await uncommittedFiles(cwd),
      now: Date.now(),
    });

  on('before_agent_start', async (event, context) => {
    continued = event['messageType'] === 'custom' ? continued : 0;
    if (project === null) return undefined;
    const isDue = !primed;
    const content = await within(patience - 500, async () => {
      if (isDue || project!.tracker.issue() === null) await project!.tracker.look();
      if ((await atWork()) === null) return undefined;
      await offerTool(context);
      return isDue ? recovery(context) : undefined;
    });
    if (content === undefined) return undefined;
    primed = true;
    unwritten = null;
    return { message: { customType: 'beads-recovery', content, display: true, details: {} } };
  });

  on('tool_call', async (event, { cwd }) => {
    if (event['toolName'] !== 'bash' || (await atWork()) === null) return undefined;
    const claim = issueCommands(commandOf(event)).find(({ does }) => does === 'claim');
    if (claim === undefined) return undefined;
    const reason = await dirtyTree(claim.id, { tracker: project!.tracker, cwd });
    return reason === null ? undefined : { block: true, reason };
  });

  on('tool_result', async (event, context) => {
    if ((await atWork()) === null) return;
    const { tracker } = project!;
    const isDone = event['isError'] !== true;
    if (event['toolName'] === 'bash') {
      // What fails after a commit does not take it back.
      for (const commit of commitsMade(commandOf(event), outputOf(event)))
        tracker.send({ type: 'tracker.committed', ...commit });
      if (isDone) await readCommand(commandOf(event), context);
    }
    const path = Object(event['input']).path as unknown;
    const isEdit = event['toolName'] === 'write' || event['toolName'] === 'edit';
    if (isDone && isEdit && typeof path === 'string')
      tracker.send({ type: 'tracker.edited', path: inProject(path, context.cwd) });
  });

  /** What a command of the agent did to issues. */
  const readCommand = async (command: string, context: PiContext): Promise<void> => {
    const { tracker } = project!;
    const noted = commentMade(command);
    if (noted !== null && noted === tracker.issue()) tracker.send({ type: 'tracker.noted' });
    const commands = issueCommands(command);
    // The text may name what was never run: what became of the issues says their tracker.
    for (const { does, id } of commands) {
      const [issue] = does === 'close' ? await project!.beads.show([id]) : [];
      await (issue?.status === 'closed' ? tracker.close(issue.id, 'done') : tracker.look());
    }
    if (commands.length > 0) void showStatus(context);
  };

  on('turn_end', async (_, context) => {
    // As of this turn: the next one may begin meanwhile.
    const percent = context.getContextUsage()?.percent ?? 0;
    if ((await atWork()) === null) return;
    project!.tracker.send({ type: 'tracker.turn' });
    void project!.outbox.flush();
    if (percent >= fullWindow && !warned)
      context.ui.notify(
        `${Math.round(percent)} % of the context is used: a good moment to note progress on the issue.`,
        'warning',
      );
    warned = percent >= fullWindow;
  });

  on('session_before_compact', async (_, context) => {
    if ((await atWork()) === null) return;
    const { tracker, written } = project!;
    const messages = writtenMessages(context.sessionManager.getBranch());
    tracker.send({ type: 'tracker.compacting', ...recentWork(messages) });
    await written();
    primed = false;
    unwritten = await recovery(context);
  });

  // After an overflow, and where a run goes on after a compaction, nothing else tells the agent again.
  on('context', (event) => {
    if (unwritten === null) return undefined;
    const reminder = { role: 'user', content: [{ type: 'text', text: unwritten }], timestamp: 0 };
    return { messages: [...(event['messages'] as readonly PiMessage[]), reminder] };
  });

  on('session_shutdown', async () => {
    await project?.written();
    project?.tracker.stop();
    project = null;
  });

  const hear = (event: TrackerEmitted, { ui }: PiContext): void => {
    switch (event.type) {
      case 'tracker.write':
        return project!.write(event.issue, event.note);
      case 'tracker.nudge': {
        const say = `${event.turns} turns without a note on ${event.issue}.`;
        ui.notify(`${say} The agent is reminded.`, 'info');
        pi.sendMessage(
          {
            customType: 'beads-nudge',
            content: `${say} Note where the work stands: beads, action "comment".`,
            display: false,
          },
          { deliverAs: 'nextTurn' },
        );
        return;
      }
      case 'tracker.closed':
        if (continued >= mostContinues) return;
        continued += 1;
        pi.sendMessage(
          {
            customType: 'beads-continue',
            content: `${event.issue} is closed. Look what is ready (beads, action "ready") and go on with the next issue that belongs to what was asked; if nothing does, say what was done and stop.`,
            display: false,
          },
          { deliverAs: 'followUp', triggerTurn: true },
        );
        return;
      case 'tracker.refused':
      // Whoever asked is told.
    }
  };
}

/** What `work` gives within so many milliseconds; undefined where it fails, or takes longer: pi goes on. */
function within<T>(milliseconds: number, work: () => Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    const done = (result?: T): void => {
      clearTimeout(timer);
      resolve(result);
    };
    work().then(done, () => done());
  });
}

const commandOf = (event: PiEvent): string => {
  const { command } = Object(event['input']) as Record<string, unknown>;
  return typeof command === 'string' ? command : '';
};

/** What a tool put out: pi has it in the content, not in the details. */
function outputOf(event: PiEvent): string {
  const content = event['content'] as readonly { readonly text?: unknown }[] | undefined;
  return (content ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

/** A path as the project knows it. */
function inProject(path: string, cwd: string): string {
  const inside = relative(cwd, isAbsolute(path) ? path : join(cwd, path));
  return inside.startsWith('..') ? path : inside;
}
