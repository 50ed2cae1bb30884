import type { TrackerEmitted } from '../../../machines/index.ts';
import { beadsToolSpec } from '../beads/beads-tool.ts';
import { recoveryText } from '../beads/recovery-text.ts';
import { uncommittedFiles } from '../beads/uncommitted.ts';
import { followProject, type FollowedProject } from './followed-project.ts';
import type { PiContext, PiEvent, PiHost, PiMessage } from './host.ts';
import { issueTool } from './issue-tool.ts';
import { writtenMessages } from './pi-list.ts';
import { recentWork } from './recent-work.ts';
import { refuseClaim, trackResult } from './tool-work.ts';

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
  const issues = new FollowedIssues(pi);
  const on = (event: string, handler: (event: PiEvent, context: PiContext) => unknown): void => {
    const quiet = (payload: PiEvent, context: PiContext): Promise<unknown> =>
      within(patience, async () => handler(payload, context));
    pi.on(event, quiet as never);
  };
  on('session_start', (_, context) => issues.begin(context));
  on('before_agent_start', (event, context) => issues.prime(event, context));
  on('tool_call', (event) => issues.refuse(event));
  on('tool_result', (event, context) => issues.takeIn(event, context));
  on('turn_end', (_, context) => issues.endTurn(context));
  on('session_before_compact', (_, context) => issues.note(context));
  on('context', (event) => issues.remind(event));
  on('session_shutdown', () => issues.end());
}

/** The issues of the project of a session, and what its agent was told of them. */
class FollowedIssues {
  readonly #pi: PiHost;
  #project: FollowedProject | null = null;
  #isPrimed = false;
  /** Told with each request after a compaction, until it stands in the session. */
  #unwritten: string | null = null;
  #continued = 0;
  #isWarned = false;

  constructor(pi: PiHost) {
    this.#pi = pi;
  }

  begin(context: PiContext): void {
    this.#project?.tracker.stop();
    this.#project = followProject(context, (event) => this.#hear(event, context));
    this.#isPrimed = false;
    void this.#offerTool(context);
  }

  async prime(event: PiEvent, context: PiContext) {
    if (event['messageType'] !== 'custom') this.#continued = 0;
    if (this.#project === null) return undefined;
    const { tracker } = this.#project;
    const isDue = !this.#isPrimed;
    const content = await within(patience - 500, async () => {
      if (isDue || tracker.issue() === null) await tracker.look();
      if ((await this.#atWork()) === null) return undefined;
      await this.#offerTool(context);
      return isDue ? this.#recovery() : undefined;
    });
    if (content === undefined) return undefined;
    this.#isPrimed = true;
    this.#unwritten = null;
    return { message: { customType: 'beads-recovery', content, display: true, details: {} } };
  }

  async refuse(call: PiEvent) {
    const project = call['toolName'] === 'bash' ? await this.#atWork() : null;
    const reason = project && (await refuseClaim(call, project));
    return reason === null ? undefined : { block: true, reason };
  }

  async takeIn(result: PiEvent, context: PiContext): Promise<void> {
    const project = await this.#atWork();
    if (project !== null && (await trackResult(result, project))) void this.#showStatus(context);
  }

  async endTurn(context: PiContext): Promise<void> {
    // As of this turn: the next one may begin meanwhile.
    const percent = context.getContextUsage()?.percent ?? 0;
    const project = await this.#atWork();
    if (project === null) return;
    project.tracker.send({ type: 'tracker.turn' });
    void project.outbox.flush();
    if (percent >= fullWindow && !this.#isWarned)
      context.ui.notify(
        `${Math.round(percent)} % of the context is used: a good moment to note progress on the issue.`,
        'warning',
      );
    this.#isWarned = percent >= fullWindow;
  }

  /** Notes where the work stands before it is compacted. */
  async note({ sessionManager }: PiContext): Promise<void> {
    const project = await this.#atWork();
    if (project === null) return;
    const messages = writtenMessages(sessionManager.getBranch());
    project.tracker.send({ type: 'tracker.compacting', ...recentWork(messages) });
    await project.written();
    this.#isPrimed = false;
    this.#unwritten = await this.#recovery();
  }

  /** After an overflow, and where a run goes on after a compaction, nothing else tells the agent again. */
  remind(event: PiEvent) {
    if (this.#unwritten === null) return undefined;
    const content = [{ type: 'text', text: this.#unwritten }];
    const reminder: PiMessage = { role: 'user', content, timestamp: 0 };
    return { messages: [...(event['messages'] as readonly PiMessage[]), reminder] };
  }

  async end(): Promise<void> {
    await this.#project?.written();
    this.#project?.tracker.stop();
    this.#project = null;
  }

  /** The project, once there is one. */
  async #atWork(): Promise<FollowedProject | null> {
    const found = await this.#project?.tracker.project();
    return found == null ? null : this.#project;
  }

  /** Puts the tool on the list, once the project was found. */
  async #offerTool(context: PiContext): Promise<void> {
    const found = await this.#atWork();
    if (found === null) return;
    if (!this.#pi.getAllTools().some(({ name }) => name === beadsToolSpec.name))
      this.#pi.registerTool(issueTool(() => this.#project!, this.#showStatus) as never);
    void found.outbox.flush();
    void this.#showStatus(context);
  }

  readonly #showStatus = ({ ui }: PiContext): Promise<unknown> =>
    within(2 * patience, async () => {
      const issue = await this.#project!.tracker.current();
      const ready = issue === null ? await this.#project!.beads.ready() : [];
      const { id, title } = issue ?? { id: `${ready.length}`, title: 'ready' };
      ui.setStatus('beads', `${id} ${title}`);
    });

  /** What the tracker says of the work, for an agent that knows nothing of it. */
  async #recovery(): Promise<string> {
    const { tracker, cwd } = this.#project!;
    return recoveryText({
      rules,
      issue: await tracker.current(),
      uncommitted: await uncommittedFiles(cwd),
      now: Date.now(),
    });
  }

  #hear(event: TrackerEmitted, { ui }: PiContext): void {
    switch (event.type) {
      case 'tracker.write':
        return this.#project!.write(event.issue, event.note);
      case 'tracker.nudge': {
        const late = `${event.turns} turns without a note on ${event.issue}.`;
        ui.notify(`${late} The agent is reminded.`, 'info');
        const content = `${late} Note where the work stands: beads, action "comment".`;
        const note = { customType: 'beads-nudge', content, display: false };
        return this.#pi.sendMessage(note, { deliverAs: 'nextTurn' });
      }
      case 'tracker.closed': {
        if (this.#continued >= mostContinues) return;
        this.#continued += 1;
        const content = `${event.issue} is closed. Look what is ready (beads, action "ready") and go on with the next issue that belongs to what was asked; if nothing does, say what was done and stop.`;
        const note = { customType: 'beads-continue', content, display: false };
        return this.#pi.sendMessage(note, { deliverAs: 'followUp', triggerTurn: true });
      }
      case 'tracker.refused':
      // Whoever asked is told.
    }
  }
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
