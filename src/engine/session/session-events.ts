import { checkArgument, flag, objectOf, signal, integer } from '../../core/values/validation.ts';
import { checkListener } from '../commands/command-arguments.ts';
import { factStream } from '../live/listening/fact-stream.ts';
import { inspectionStream } from '../live/listening/inspection-stream.ts';
import type { SessionFact } from '../live/listening/listeners.ts';
import type { SessionReader } from '../live/session-access.ts';
import type { HandleContext } from './handle-context.ts';
import type { InspectOptions, Session } from './session.ts';

/** The highest sequence number that a record can have. */
const lastRecord = 10 ** 12 - 1;

const inspectOptions = objectOf<InspectOptions>({
  after: integer(0, lastRecord),
  to: integer(1, lastRecord),
  live: flag,
  text: flag,
  signal,
});

const eventsOptions = objectOf<{ after?: number; signal?: AbortSignal }>({
  after: integer(0, lastRecord),
  signal,
});

/** The facts of a session as they come; streams of them end with `ended`. */
export function toEvents(
  session: SessionReader,
  { check, ended }: HandleContext,
): Pick<Session, 'on' | 'events' | 'inspect'> {
  // A store that is open for reading stays as it was opened: nothing comes.
  const goesOn = session.store.refusal === undefined;
  return {
    on: (type: string, listener: (fact: SessionFact) => void) => {
      check();
      checkListener(type, listener);
      return session.listen((fact) => {
        if (type === '*' || fact.type === type) listener(fact);
      });
    },
    events(options = {}) {
      check();
      checkArgument('options', options, eventsOptions);
      const { after = 0, signal } = options;
      return factStream(session, { after, live: goesOn, signal, ended });
    },
    inspect(options = {}) {
      check();
      checkArgument('options', options, inspectOptions);
      const { after = 0, to, live = true, text = false, signal } = options;
      const range = { after, to, live: live && goesOn, text, signal, ended };
      return inspectionStream(session, range);
    },
  };
}
