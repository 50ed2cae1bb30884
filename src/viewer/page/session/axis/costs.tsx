import type { ComponentChild } from 'preact';
import { useLane } from '../lane/use-lane.ts';
import { number } from '../told/history.ts';

/** What was sent to the model by the playhead, and what that saved. */
export function Costs(): ComponentChild {
  const { count, cursor, history, step } = useLane();
  const cost = count.value === 0 ? undefined : history.costs[cursor.value];
  if (cost === undefined || cost.calls === 0) return null;
  const { calls, sent, whole, told, sentTold, counted, cached } = cost;
  const { sizes, said, limit } = step.value!;
  const largest = sizes[0]! + sizes[1]! + said;
  const less = Math.round((1 - sent / Math.max(1, whole)) * 100);
  return (
    <dl class="costs" aria-label="Sent so far">
      <div>
        <dt>sent so far</dt>
        <dd>
          <b>{number(sent)}</b> tokens in {number(calls)} {calls === 1 ? 'call' : 'calls'}
        </dd>
      </div>
      <div title="For comparison: system prompt, tools and all that was said, sent with each of these calls">
        <dt>the whole log in each call</dt>
        <dd>
          {number(whole)}
          {less > 0 && (
            <>
              {' '}
              tokens; <b>{less} %</b> of them were not sent
            </>
          )}
          {largest > limit && `. The log by now, ${number(largest)}, fits no window of this size`}
        </dd>
      </div>
      {told > 0 && (
        <div>
          <dt>the server counted</dt>
          <dd>
            <b>{number(counted)}</b> where {number(sentTold)} were sent
            {told < calls && ` (${number(told)} calls of which it told)`}
          </dd>
        </div>
      )}
      {cached > 0 && (
        <div>
          <dt>served from its cache</dt>
          <dd>
            <b>{number(cached)}</b>, {Math.round((cached / Math.max(1, counted)) * 100)} % of that
          </dd>
        </div>
      )}
    </dl>
  );
}
