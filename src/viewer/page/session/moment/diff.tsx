import { useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { lookAt, lookForSources } from '../entries/look.ts';
import { Folded } from '../entries/folded.tsx';
import { Linked } from '../entries/text.tsx';
import { ask } from '../lane/source.ts';
import { useLane } from '../lane/use-lane.ts';
import { many } from '../model/words/amounts.ts';
import { differingParts, type Part } from './differing.ts';
import { frameLineOf, piecesOf, plain, sentencesOf, type Piece } from '../model/made-line.ts';
import { rangesOf } from '../model/ranges.ts';
import { isOwnLine } from '../model/words/own-lines.ts';
import { formText } from '../model/words/loss.ts';
import type { Change, MadeLine, Prompt, WholeEntry } from '../model/wire.ts';

/** Most pieces that are shown at first. */
const mostPieces = 80;

/** What left the prompt, word for word, beside the lines that stand for it now. */
export function Diff({ change }: { readonly change: Change }): ComponentChild {
  const [isWhole, setWhole] = useState(false);
  const { gone, lines } = change;
  const pieces = piecesOf({ entries: entriesIn(change), gone, came: lines }).filter(tells);
  if (pieces.length === 0) return null;
  const parts = differingParts(pieces);
  const visiblePieces = isWhole ? pieces : pieces.slice(0, mostPieces);
  return (
    <>
      <h3>What left, and what stands for it now</h3>
      <ul class="diff">
        {visiblePieces.map((piece, index) => (
          <li
            key={`${change.seq}/${index}`}
            class={
              piece.sign === '-'
                ? 'gone'
                : `came ${'entries' in piece ? 'working' : piece.line.section}`
            }
          >
            <span class="sign" aria-label={piece.sign === '-' ? 'left' : 'came'}>
              {piece.sign === '-' ? '−' : '+'}
            </span>
            <div>
              {'entries' in piece ? (
                <ShownEntries of={piece.entries} change={change} sign={piece.sign} />
              ) : (
                <Line
                  of={piece.line}
                  seq={change.seq}
                  isNew={piece.sign === '+'}
                  part={parts.get(piece)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {pieces.length > visiblePieces.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          {many(pieces.length - visiblePieces.length, 'more line')}
        </button>
      )}
    </>
  );
}

/** Whether a piece tells anything: a tag, or the title of a list, does not. */
const tells = (piece: Piece): boolean =>
  'entries' in piece || (plain(piece.line.text) !== '' && !isOwnLine(piece.line.text));

/** Ranges of the entries that a prompt held in another form, or not at all, before and after. */
function entriesIn({
  left,
  came,
  shortened,
}: Change): readonly [readonly string[], readonly string[]] {
  const stood = shortened.filter((id) => !came.includes(id));
  return [
    [...rangesOf(left), ...rangesOf(stood)],
    [...rangesOf(came), ...rangesOf(stood)],
  ];
}

/** Entries as a prompt held them, those that stood there shortened as they did. */
function ShownEntries(props: {
  readonly of: string;
  readonly change: Change;
  readonly sign: '-' | '+';
}): ComponentChild {
  const { of, change, sign } = props;
  const lane = useLane();
  const read = async (): Promise<readonly WholeEntry[]> => {
    const seq = change.seq - (sign === '-' ? 1 : 0);
    const [whole, { messages }] = await Promise.all([
      ask<readonly WholeEntry[]>(lane.path('entries', { of })),
      ask<Prompt>(lane.path('prompt', { seq })),
    ]);
    const texts = new Map(messages.map(({ entry, text }) => [entry, text]));
    return whole.map((entry) => ({ ...entry, text: texts.get(entry.id) ?? entry.text }));
  };
  return <Folded of={of} form={formText(of, change.short[sign === '-' ? 0 : 1])} read={read} />;
}

/** A line that Flamestack made; each sentence of a new one leads to what it comes from, unless it names that. */
function Line(props: {
  readonly of: MadeLine;
  readonly seq: number;
  readonly isNew: boolean;
  /** What its other version lacks. */
  readonly part?: Part | undefined;
}): ComponentChild {
  const { of, seq, isNew, part } = props;
  const { text } = of;
  const frame = frameLineOf(text);
  if (frame !== null) return <FrameOutcome of={frame} seq={seq} />;
  const isTold = isNew && !namesEntry.test(text);
  return isTold ? (
    <Sentences of={plain(text)} seq={seq} part={part} />
  ) : (
    <Marked text={plain(text)} part={part} />
  );
}

/** A line that says itself what it comes from. */
const namesEntry = /\be\d+\b/;

/** A frame and what came of it. */
function FrameOutcome(props: {
  readonly of: NonNullable<ReturnType<typeof frameLineOf>>;
  readonly seq: number;
}): ComponentChild {
  const { id, status, title, parts } = props.of;
  const lane = useLane();
  return (
    <>
      <p class="outcome">
        <b>{title}</b> <span class="quiet">{status}</span>{' '}
        {id !== '' && (
          <button type="button" class="more" onClick={() => lookAt(lane, id)}>
            its log
          </button>
        )}
      </p>
      {parts.map(({ name, text }) => (
        <p key={name} class="outcome">
          <span class="quiet">{name}: </span>
          <Sentences of={text} seq={props.seq} />
        </p>
      ))}
    </>
  );
}

/** A text of which a part is marked. */
function Marked(props: {
  readonly text: string;
  readonly part?: Part | undefined;
}): ComponentChild {
  const { text, part } = props;
  if (part === undefined || part.from >= part.to) return <Linked text={text} />;
  return (
    <>
      <Linked text={text.slice(0, part.from)} />
      <mark>
        <Linked text={text.slice(part.from, part.to)} />
      </mark>
      <Linked text={text.slice(part.to)} />
    </>
  );
}

/** Sentences, each a link to the entries it comes from; a part of them may be marked. */
function Sentences(props: {
  readonly of: string;
  readonly seq: number;
  readonly part?: Part | undefined;
}): ComponentChild {
  const { of, seq, part = { from: 0, to: 0 } } = props;
  const lane = useLane();
  let end = 0;
  return sentencesOf(of).map((sentence) => {
    const begin = of.indexOf(sentence, end);
    end = begin + sentence.length;
    const inside = (at: number): number => Math.min(Math.max(at - begin, 0), sentence.length);
    const marked = { from: inside(part.from), to: inside(part.to) };
    return (
      <>
        <span
          class="sentence"
          role="button"
          tabIndex={0}
          title="Where this comes from"
          onClick={() => void lookForSources(lane, sentence, seq)}
          onKeyDown={({ key }) => key === 'Enter' && void lookForSources(lane, sentence, seq)}
        >
          <Marked text={sentence} part={marked} />
        </span>{' '}
      </>
    );
  });
}
