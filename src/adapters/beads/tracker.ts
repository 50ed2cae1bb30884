import { createActor, waitFor } from 'xstate';
import {
  body,
  trackerMachine,
  type TrackerEmitted,
  type TrackerEvent,
} from '../../../machines/index.ts';
import type { Beads, BeadsProject } from './beads.ts';
import type { Issue } from './issue.ts';

/** The issue that an agent works on, followed through its life. */
export interface IssueTracker {
  /** The project; null outside of one. Waits until it was looked for. */
  project(): Promise<BeadsProject | null>;
  /** The id of the issue in progress; null for none. */
  issue(): string | null;
  /** The issue in progress as the tracker has it; null for none, or where the tracker does not answer. */
  current(): Promise<Issue | null>;
  send(event: TrackerEvent): void;
  /** Says that an issue was taken. */
  claimed(issue: string): Promise<void>;
  /** Closes an issue; null where it is closed, else why not. */
  close(issue: string, reason: string): Promise<string | null>;
  /** Looks again which issue is in progress. */
  look(): Promise<void>;
  stop(): void;
}

/** Follows the issues of a project; `hear` is told what the machine emits. */
export function followIssues(beads: Beads, hear: (event: TrackerEmitted) => void): IssueTracker {
  let found: BeadsProject | null = null;
  const actor = createActor(
    trackerMachine.provide({
      actors: {
        detect: body(async () => {
          found = await beads.info();
          return found === null ? null : { issue: (await beads.inProgress())?.id ?? null };
        }),
        close: body(async ({ issue, reason }) => {
          const [known] = await beads.show([issue]).catch(() => []);
          if (known?.status === 'closed') return true;
          const { isClosed, why } = await beads.close(issue, reason);
          if (!isClosed && why !== '') throw new Error(why);
          return isClosed;
        }),
      },
    }),
  );
  actor.on('*', hear);
  actor.start();
  const looked = async (): Promise<void> => {
    await waitFor(
      actor,
      (snapshot) => !snapshot.matches('detecting') && !snapshot.matches('closing'),
    );
  };
  const closeOne = async (issue: string, reason: string): Promise<string | null> => {
    await looked();
    let refusal: string | null = null;
    const off = actor.on('tracker.refused', (event) => (refusal = event.reason));
    actor.send({ type: 'tracker.close', issue, reason });
    const isAsked = actor.getSnapshot().matches('closing');
    await looked();
    off.unsubscribe();
    return isAsked ? refusal : 'The tracker does not answer now. Try again in a moment.';
  };
  let closing: Promise<unknown> = Promise.resolve();
  const issue = (): string | null => actor.getSnapshot().context.issue;
  return {
    issue,
    async project() {
      await looked();
      return found;
    },
    async current() {
      await looked();
      const id = issue();
      if (id === null) return null;
      const [whole] = await beads.show([id]).catch(() => []);
      return whole ?? null;
    },
    send: (event) => actor.send(event),
    async claimed(id) {
      await looked();
      actor.send({ type: 'tracker.claimed', issue: id });
    },
    close(id, reason) {
      const done = closing.then(() => closeOne(id, reason));
      closing = done.catch(() => undefined);
      return done;
    },
    async look() {
      actor.send({ type: 'tracker.detect' });
      await looked();
    },
    stop: () => void actor.stop(),
  };
}
