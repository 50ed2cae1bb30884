import type { ComponentChild } from 'preact';
import { lookAt, lookForLacking } from '../entries/look.ts';
import { Ref } from '../entries/names.tsx';
import { LongText } from '../entries/text.tsx';
import { Waiting } from '../entries/waiting.tsx';
import type { Lane } from '../lane/lane.ts';
import { isKept } from '../lane/source.ts';
import { useLane } from '../lane/use-lane.ts';
import { LaneName } from '../lane/within.tsx';
import { cutNow, isWithin } from '../model/cut-now.ts';
import type { Cut } from '../model/history.ts';
import { many, number } from '../model/words/amounts.ts';
import { nameOfCut } from '../model/words/cut.ts';
import { countOfCut } from '../model/words/loss.ts';
import { pieceName, pieceSize } from '../model/words/piece.ts';
import { unreadText } from '../model/words/unread.ts';
import { namesLine, ways } from '../model/words/ways.ts';
import type { Prompt, PromptMessage } from '../model/wire.ts';

/** The prompt at the playhead: what the model would be sent, message by message, and what it would not. */
export function PromptPanel(): ComponentChild {
  const lane = useLane();
  const { prompt, step } = lane;
  const current = prompt.value;
  const isOver = step.value === null && lane.connection.value === 'lost';
  const unread = lane.unread.prompt.value ?? (isOver ? 'ended' : null);
  const isEarly = lane.connection.value === 'loading';
  const cut = isEarly || step.value === null ? null : cutNow(lane.history, lane.cursor.value);
  const lost = cut?.news?.lost ?? [];
  const isNow = isEarly ? current !== null : current?.seq === step.value?.seq;
  const place = [
    ...(isEarly || step.value === null ? [] : [`turn ${step.value.turn}, step ${step.value.seq}`]),
    ...(isNow && current !== null && current.path.length > 1 ? [pathText(lane, current)] : []),
  ];
  return (
    <section class="prompt" aria-label="Prompt">
      <header>
        <LaneName />
        <h2>{isEarly ? 'The prompt at the end' : 'The prompt at this moment'}</h2>
        <span class="quiet">{place.join(' · ')}</span>
        {!isNow && current !== null && (
          <span class="late">
            {unread === null ? 'Loading; this' : `${unreadText(unread)} This`} is of step{' '}
            {current.seq}
            {unread === null ? ' …' : '.'}
          </span>
        )}
      </header>
      <div class={isNow ? 'scroll' : 'scroll stale'} aria-busy={!isNow && unread === null}>
        {current === null && <Waiting unread={unread} />}
        {current !== null && cut !== null && <CutOff of={cut} />}
        {current !== null && <Missing from={current} />}
        {current?.messages.map((message, index) => (
          <Piece
            key={`${current.seq}/${index}`}
            message={message}
            isCut={message.entry !== null && isWithin(lost, message.entry)}
          />
        ))}
      </div>
    </section>
  );
}

/** The frames from the root, which is called as the list of frames calls it, to the active one. */
function pathText({ history }: Lane, { path }: Prompt): string {
  const [root = '', ...below] = path;
  return [history.frames.get('f0')?.title ?? root, ...below].join(' › ');
}

/** What was dropped of the prompt that was sent last, as long as nothing has mended it. */
function CutOff({ of: cut }: { readonly of: Cut }): ComponentChild {
  const { history } = useLane();
  const counted = countOfCut(history, cut);
  const { lost = [], isCertain = true } = cut.news ?? {};
  return (
    <div class="missing cut-off">
      <b>{nameOfCut(cut.news)}</b>
      <p>
        {counted !== undefined &&
          `Sent last: ${number(counted.sent)} tokens; the server counted ${number(counted.counted)}. `}
        {lost.length > 0 && (
          <>
            The model {isCertain ? 'did not see' : 'may not have seen'} <Refs refs={lost} />
          </>
        )}
      </p>
    </div>
  );
}

/** What the model had no longer, word for word. */
function Missing({ from }: { readonly from: Prompt }): ComponentChild {
  const { missing, names, kept, seq } = from;
  const lane = useLane();
  if (missing.length === 0)
    return <p class="missing">Everything that was said stands here, word for word.</p>;
  return (
    <div class="missing">
      <b>Not here word for word:</b>
      <ul>
        {missing.map(({ how, entries, refs }) => (
          <li key={how}>
            {number(entries)} {entries === 1 ? 'entry' : 'entries'} {ways[how] ?? how}:{' '}
            <Refs refs={refs.slice(0, 8)} />
            {refs.length > 8 && (
              <details>
                <summary>and {many(refs.length - 8, 'more range')}</summary>
                <Refs refs={refs.slice(8)} />
              </details>
            )}
          </li>
        ))}
      </ul>
      {names > 0 && <p>{namesLine(many(names, 'name'), number(kept))}</p>}
      {!isKept && (
        <button type="button" class="more" onClick={() => void lookForLacking(lane, seq)}>
          names that this prompt has nowhere
        </button>
      )}
    </div>
  );
}

const Refs = ({ refs }: { readonly refs: readonly string[] }): ComponentChild =>
  refs.map((ref) => <Ref key={ref} of={ref} />);

/** A message of a prompt. */
export function Piece(props: {
  readonly message: PromptMessage;
  /** Whether it was dropped of the prompt that was sent last. */
  readonly isCut?: boolean;
}): ComponentChild {
  const { message, isCut = false } = props;
  const { section, kind, entry, text } = message;
  const lane = useLane();
  return (
    <article class={`piece ${section} ${kind}${isCut ? ' cut' : ''}`}>
      <p class="piece-head">
        <i class={`swatch ${section}`} />
        <b>{pieceName(message)}</b>
        {entry !== null && (
          <button type="button" class="ref" onClick={() => lookAt(lane, entry)}>
            {entry}
          </button>
        )}
        {kind === 'shortened' && <span class="badge">shortened</span>}
        {isCut && (
          <span class="badge cut" title="Dropped from the prompt that was sent last">
            cut off
          </span>
        )}
        <span class="quiet">{pieceSize(message, lane.step.value?.sizes ?? [])}</span>
      </p>
      <LongText text={text} />
    </article>
  );
}
