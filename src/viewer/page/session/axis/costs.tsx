import type { ComponentChild, ComponentChildren } from 'preact';
import { useLane } from '../lane/use-lane.ts';
import { wholeOf } from '../model/cost.ts';
import { many, number } from '../model/words/amounts.ts';

const comparison =
  'For comparison: system prompt, tools, goal and all that was said, sent again with each of these calls';

const beginning =
  'What each prompt began with as the one before did, sign for sign. Where an epoch began, only system prompt and tools are counted';

/** What was sent to the model by the playhead, and what that saved. */
export function Costs(): ComponentChild {
  const { count, cursor, history, step } = useLane();
  const cost = count.value === 0 ? undefined : history.costs[cursor.value];
  if (cost === undefined || cost.calls === 0) return null;
  const { calls, sent, again, whole, countedCalls, sentInCounted, counted, cached } = cost;
  const { limit } = step.value!;
  const largest = wholeOf(step.value!);
  const less = percentOf(whole - sent, whole);
  return (
    <dl class="costs" aria-label="Sent so far">
      <Cost of="Sent so far">
        <b>{number(sent)}</b> tokens in {many(calls, 'call')}
      </Cost>
      {(less > 0 || largest > limit) && (
        <Cost of="With the whole log in each call" title={comparison}>
          {number(whole)} tokens
          {less > 0 && [': ', <b>{less} %</b>, ' saved']}
          {largest > limit &&
            `. The log is ${number(largest)} tokens by now, too long for this window`}
        </Cost>
      )}
      {again > 0 && (
        <Cost of="Sent again unchanged" title={beginning}>
          <b>{number(again)}</b> tokens, {percentOf(again, sent)} %: a server that keeps prompts
          need not read them again
        </Cost>
      )}
      {countedCalls > 0 && (
        <Cost of="Counted by the server">
          <b>{number(counted)}</b> tokens, where {number(sentInCounted)} were expected
          {countedCalls < calls && `, in the ${many(countedCalls, 'call')} that it reported`}
        </Cost>
      )}
      {cached > 0 && (
        <Cost of="Read from its cache">
          <b>{number(cached)}</b> tokens, {percentOf(cached, counted)} % of those
        </Cost>
      )}
    </dl>
  );
}

/** Whole percents; of almost all with one more digit, so that it is not told as all. */
function percentOf(part: number, whole: number): number {
  const percent = (part / Math.max(1, whole)) * 100;
  return percent > 99 && part < whole ? Math.floor(percent * 10) / 10 : Math.round(percent);
}

interface CostProps {
  readonly of: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}

function Cost({ of, title, children }: CostProps): ComponentChild {
  return (
    <div title={title}>
      <dt>{of}</dt>
      <dd>{children}</dd>
    </div>
  );
}
