import { ordinal } from '../../core/values/id.ts';
import type { LawContext } from './law.ts';
import { bytesOf } from './recount.ts';
import { limitOf } from './witness.ts';

/** The closed list of design §4, written down a second time: what may change what was already assembled. */
const raising: ReadonlySet<string> = new Set([
  'checkpoint.created',
  'checkpoint.aged',
  'checkpoint.merged',
  'entry.shortened',
  'entry.cleared',
  'entry.restored',
  'entry.offloaded',
  'entry.redacted',
  'frame.pushed',
  'frame.popped',
  'frame.started',
  'frame.retried',
  'frame.invalidated',
  'goal.set',
  'options.changed',
  'tools.changed',
  'session.rolledOver',
  'session.recovered',
  'checkpoint.raised',
  'state.restored',
]);

/**
 * **Prefix**: within an epoch each assembly begins with the bytes of the one
 * before; the epoch never goes back, and rises only for a fact of the closed
 * list, or where the one before and what came since would not fit: its sections
 * are laid out smaller then.
 */
export function* prefixFaults({
  before,
  assembly,
  witness,
  thorough,
}: LawContext): Iterable<string> {
  if (before === null) return;
  if (assembly.epoch < before.epoch) yield `epoch ${assembly.epoch} follows ${before.epoch}`;
  if (assembly.epoch !== before.epoch) {
    if (!witness.heard.some(({ type }) => raising.has(type)) && fitted(before, witness))
      yield `epoch ${assembly.epoch} began for no fact of the list: ${witness.heard.map(({ type }) => type).join(', ')}`;
    return;
  }
  const broken = before.messages.findIndex((message, index) => {
    const now = assembly.messages[index];
    if (now === message && !thorough) return false;
    return now === undefined || bytesOf(now, thorough) !== bytesOf(message);
  });
  if (broken >= 0)
    yield `message ${broken} of ${before.messages.length} changed within epoch ${before.epoch}: ${difference(before, assembly, broken)}`;
}

/** Most tokens of what is said of a result without its call, and of a call without its result. */
const strayTokens = 16;

/** Whether an assembly and what came since are within the limit. */
function fitted(
  { budget, openCalls }: LawContext['assembly'],
  witness: LawContext['witness'],
): boolean {
  const came = witness.heard.reduce(
    (sum, fact) =>
      fact.type === 'entry.appended'
        ? sum + strayTokens + witness.said[ordinal(fact.entry) - 1]!.tokens
        : sum,
    0,
  );
  return budget.total + came + strayTokens * openCalls.length <= limitOf(witness);
}

function difference(
  before: LawContext['assembly'],
  now: LawContext['assembly'],
  index: number,
): string {
  const [was, is] = [before.messages[index], now.messages[index]].map((message) =>
    message === undefined ? 'nothing' : bytesOf(message),
  );
  let at = 0;
  while (at < was!.length && was![at] === is![at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 20), at + 60);
  return `…${around(was!)}… became …${around(is!)}…`;
}
