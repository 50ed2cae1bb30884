import { signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { countOf, Names, Refs } from '../entries/names.tsx';
import { Waiting } from '../entries/waiting.tsx';
import { follow, type Lane } from '../lane/lane.ts';
import { aligned, beside, own, windowName } from '../lane/lanes.ts';
import { OfLane } from '../lane/use-lane.ts';
import { LaneName, Within } from '../lane/within.tsx';
import { Piece } from '../moment/prompt.tsx';
import { many, number } from '../model/words/amounts.ts';
import { totalOf } from '../model/history.ts';
import type { Change } from '../model/wire.ts';
import { unreadText, type Unread } from '../model/words/unread.ts';

/** What the other window holds at the playhead that the session's own does not. */
const more = signal<Change | null>(null);
const unread = signal<Unread | null>(null);

follow(
  () => {
    const [other, seq] = [beside.value?.step.value?.seq, own.step.value?.seq];
    return aligned.value === null || other === undefined || seq === undefined
      ? null
      : own.path('more', { seq, other });
  },
  more,
  unread,
);

/** What the session would have held in another window at the playhead: what it had besides, and its prompt. */
export function OtherWindow(): ComponentChild {
  const lane = beside.value;
  return lane?.name === windowName ? (
    <Within lane={lane}>
      <WindowView lane={lane} />
    </Within>
  ) : null;
}

function WindowView({ lane }: { readonly lane: Lane }): ComponentChild {
  const { head, history, cursor, prompt, connection } = lane;
  const why = connection.value === 'lost' ? 'ended' : unread.value;
  const window = number(own.head.value?.other ?? 0);
  const currentStep = aligned.value === null ? null : lane.step.value;
  const compressionCount = history.compressions.filter((one) => one.at <= cursor.value).length;
  return (
    <section class="beside" aria-label={`In a window of ${window}`}>
      <header>
        {head.value !== null && <LaneName />}
        <h2>In a window of {window}</h2>
        <span class="quiet">
          {currentStep === null
            ? why === null
              ? 'Loading …'
              : unreadText(why)
            : `after the same entry: ${number(totalOf(currentStep))} / ${number(currentStep.limit)} tokens · ${number(compressionCount)} ${compressionCount === 1 ? 'compression' : 'compressions'}`}
        </span>
      </header>
      <div class={hasMore(more.value) ? 'two' : 'one'}>
        <div class="scroll">
          {more.value !== null && more.value.seq === own.step.value?.seq ? (
            <OfLane.Provider value={own}>
              <More change={more.value} />
            </OfLane.Provider>
          ) : (
            <Waiting unread={why} />
          )}
        </div>
        <div class="scroll">
          {prompt.value?.messages.map((message, index) => (
            <Piece key={`${prompt.value!.seq}/${index}`} message={message} />
          ))}
        </div>
      </div>
    </section>
  );
}

/** Whether there is more to say than a line, or nobody knows yet. */
const hasMore = (change: Change | null): boolean =>
  change === null || change.left.length + countOf(change.lost) > 0;

/** What went from the other prompt to this one: what this window did not keep. */
function More({ change }: { readonly change: Change }): ComponentChild {
  const { left, lost, kept, gained } = change;
  const count = countOf(lost);
  return (
    <>
      <p>
        It holds <b>{number(left.length)}</b> {left.length === 1 ? 'entry' : 'entries'} that this
        window does not{left.length > 0 ? ': ' : '. '}
        <Refs ids={left} /> It has {number(kept + count)} names (paths, commands, numbers and the
        like); <b class={count > 0 ? 'bad' : ''}>{number(count)}</b> of them are not in the prompt
        of the session's own window, which has {many(gained, 'other')}.
      </p>
      <Names kinds={lost} seq={change.seq} title="Names that it would have kept:" />
    </>
  );
}
