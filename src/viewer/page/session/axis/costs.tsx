import type { ComponentChild } from 'preact';
import { useLane } from '../lane/use-lane.ts';
import { many, number } from '../told/history.ts';

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
        <dt>Sent so far</dt>
        <dd>
          <b>{number(sent)}</b> tokens in {many(calls, 'call')}
        </dd>
      </div>
      <div title="For comparison: system prompt, tools and all that was said, sent again with each of these calls">
        <dt>With the whole log in each call</dt>
        <dd>
          {number(whole)} tokens
          {less > 0 && (
            <>
              : <b>{less} %</b> saved
            </>
          )}
          {largest > limit &&
            `. The log is ${number(largest)} tokens by now, too long for this window`}
        </dd>
      </div>
      {told > 0 && (
        <div>
          <dt>Counted by the server</dt>
          <dd>
            <b>{number(counted)}</b> tokens of its own for {number(sentTold)} of ours
            {told < calls && `, in the ${many(told, 'call')} that it reported`}
          </dd>
        </div>
      )}
      {cached > 0 && (
        <div>
          <dt>Read from its cache</dt>
          <dd>
            <b>{number(cached)}</b> tokens, {Math.round((cached / Math.max(1, counted)) * 100)} % of
            those
          </dd>
        </div>
      )}
    </dl>
  );
}
