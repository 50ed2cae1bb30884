import { entryId, frameId } from '../../core/values/id.ts';
import { frameOf } from '../../core/frames/tree.ts';
import type { Subject } from '../step/trace.ts';

type Context = Readonly<Record<string, unknown>>;

/** What an actor knows, as ids and counts; its texts beside them where `text`. A field that is not named here is not told. */
export function contextOf(subject: Subject, text: boolean): Context {
  const [fields, texts] = contextParts(subject);
  return text ? { ...fields, ...texts } : fields;
}

const nowhere = { from: null, to: null, entries: null, tokens: null };
const unsuspected = { rule: null, truncation: null, numbers: null, lost: null };

/** The ids and counts, and the texts. */
function contextParts(subject: Subject): readonly [fields: Context, texts: Context] {
  switch (subject.machine) {
    case 'session':
      return ofSession(subject);
    case 'frame':
      return ofFrame(subject);
    case 'compression': {
      const { stretch, attempt, strict, by, focus, summary } = subject.memory;
      const { from, to, entries, tokens } = stretch ?? nowhere;
      return [
        { from, to, entries, tokens, attempt, strict, by },
        { focus, summary },
      ];
    }
    case 'recovery': {
      const { suspicion, source, context, recap } = subject.memory;
      const { rule, truncation, numbers, lost } = suspicion ?? unsuspected;
      return [
        { rule, truncation, numbers, lost: lost?.length ?? null, source },
        { context, recap },
      ];
    }
    case 'effect': {
      const { focus, ...fields } = subject.effect;
      return [fields, { focus }];
    }
    case 'timer':
      return [{ frame: subject.frame, due: subject.due }, {}];
    case 'document':
      return [{ at: subject.document.at, text: subject.document.text }, {}];
  }
}

function ofSession({
  state,
}: Extract<Subject, { machine: 'session' }>): readonly [Context, Context] {
  const { turn, entryCount: entries, tokens, epoch, active, frames, compressions } = state;
  const fields = { turn, entries, tokens, epoch, active, frames: frames.length };
  const owed = {
    checkpoints: state.checkpointCount,
    compressions,
    effects: state.outbox.size,
    timers: state.timers.size,
  };
  const { title } = frameOf(frames, frameId(0));
  return [
    { ...fields, ...owed },
    { title, goal: state.goal },
  ];
}

function ofFrame({ frame }: Extract<Subject, { machine: 'frame' }>): readonly [Context, Context] {
  const { parent, children, span, retryOf, results, title, criteria, brief, reason } = frame;
  const [from, to] = span === null ? [null, null] : span.map(entryId);
  const fields = { parent, children: children.length, from, to, retryOf };
  return [
    { ...fields, results: results?.tokens ?? null },
    { title, criteria, brief, reason },
  ];
}
