import { useEffect } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { number, totalOf } from './told/history.ts';
import { LostNames, Refs } from './names.tsx';
import { aligned, loadOther, more, other, otherPrompt, otherStep } from './other.ts';
import { Piece } from './prompt.tsx';
import { cursor, head, step } from './store.ts';
import type { Change } from './told/wire.ts';

/** What the session would have held in another window at the playhead: what it had besides, and its prompt. */
export function Beside(): ComponentChild {
  const window = head.value?.other;
  useEffect(() => {
    if (window !== undefined) void loadOther();
  }, [window]);
  if (window === undefined) return null;
  const told = otherStep.value;
  const at = aligned.value?.[cursor.value] ?? 0;
  const made = other.compressions.filter((one) => one.at <= at).length;
  return (
    <section class="beside" aria-label={`In a window of ${number(window)}`}>
      <header>
        <h2>In a window of {number(window)}</h2>
        <span class="quiet">
          {told === null
            ? 'Reading it …'
            : `after the same entry: ${number(totalOf(told))} / ${number(told.limit)} tokens · ${number(made)} ${made === 1 ? 'compression' : 'compressions'}`}
        </span>
      </header>
      <div class="two">
        <div class="scroll">
          {more.value !== null && more.value.seq === step.value?.seq ? (
            <More told={more.value} />
          ) : (
            <p class="quiet">Reading it …</p>
          )}
        </div>
        <div class="scroll">
          {otherPrompt.value?.messages.map((message, index) => (
            <Piece key={`${otherPrompt.value!.seq}/${index}`} message={message} />
          ))}
        </div>
      </div>
    </section>
  );
}

/** What went from the other prompt to this one: what this window did not keep. */
function More({ told }: { readonly told: Change }): ComponentChild {
  const { left, lost, kept, gained } = told;
  const count = lost.reduce((sum, { names }) => sum + names.length, 0);
  return (
    <>
      <p>
        It holds <b>{number(left.length)}</b> {left.length === 1 ? 'entry' : 'entries'} that this
        window does not{left.length > 0 ? ': ' : '. '}
        <Refs ids={left} /> It has {number(kept + count)} names (paths, commands, numbers and the
        like); <b class={count > 0 ? 'bad' : ''}>{number(count)}</b> of them are not in the prompt
        of the session's own window, which has {number(gained)} others.
      </p>
      <LostNames lost={lost} seq={told.seq} title="It would have kept" />
    </>
  );
}
