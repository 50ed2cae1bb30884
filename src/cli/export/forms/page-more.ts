import type { View } from '../../../index.ts';
import { alignedSteps } from '../../../viewer/page/session/model/axis/aligned.ts';
import { addStep, emptyHistory, type History } from '../../../viewer/page/session/model/history.ts';
import type { KeptLine, KeptMore } from '../../../viewer/page/session/model/kept.ts';
import { rangesOf } from '../../../viewer/page/session/model/ranges.ts';
import type { Change, Step } from '../../../viewer/page/session/model/wire.ts';
import { paceText } from '../../call/pace-text.ts';
import { statusLine } from '../../call/status-line.ts';
import { changeBetween } from '../../view/session-answers.ts';
import { toView } from '../changes.ts';
import { unlessDamaged } from '../damage.ts';
import type { Exporting } from '../exporting.ts';
import { hideIn } from '../../secrets/secrets.ts';

/** What another window held after each step of a session that its own did not, by what is new of it: both are played once, side by side. */
export async function* keptMore(
  own: Exporting,
  other: Exporting,
  [steps, others]: readonly [readonly Step[], readonly Step[]],
): AsyncGenerator<KeptLine> {
  const { call, session, secrets } = own;
  const status = statusLine(call);
  const begun = performance.now();
  const aligned = alignedSteps(historyOf(steps), historyOf(others));
  const places = new Map(steps.map(({ seq }, index) => [seq, index]));
  const there = viewsOf(other)[Symbol.asyncIterator]();
  let [seen, beside, before]: [number, View | null, KeptMore | null] = [-1, null, null];
  for await (const view of viewsOf(own)) {
    const { seq } = view.state;
    const at = places.get(seq);
    if (at === undefined) break;
    status.say(() => {
      const pace = paceText({ count: seq, what: 'steps', share: seq / steps.length }, begun);
      return `${pace}  what the other window kept`;
    });
    for (; seen < aligned[at]!; seen += 1) beside = ((await there.next()).value as View) ?? beside;
    if (beside === null) continue;
    const change = await unlessDamaged(changeBetween(session, [beside, view], seq));
    if (change === null) continue;
    const more = toMore(change);
    yield { more: hideIn(newIn(more, before), secrets) };
    before = more;
  }
  await there.return?.(undefined);
  status.clear();
}

const historyOf = (steps: readonly Step[]): History => {
  const history = emptyHistory();
  for (const step of steps) addStep(history, step);
  return history;
};

async function* viewsOf({ call, store, session }: Exporting): AsyncGenerator<View> {
  for await (const step of store.replay(session.id, { signal: call.io.signal })) yield toView(step);
}

/** What the page tells of it. */
const toMore = ({ seq, left, kept, gained, lost }: Change): KeptMore => ({
  seq,
  left: rangesOf(left),
  kept,
  gained,
  lost,
});

/** What is not as it was told before. */
function newIn(more: KeptMore, before: KeptMore | null): KeptMore {
  const fields = Object.entries(more).filter(
    ([name, value]) =>
      name === 'seq' || JSON.stringify(before?.[name as keyof KeptMore]) !== JSON.stringify(value),
  );
  return Object.fromEntries(fields) as unknown as KeptMore;
}
