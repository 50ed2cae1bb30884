import { useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { useLane } from '../lane/use-lane.ts';
import { number } from '../model/words/amounts.ts';
import { linkForm } from '../model/link-form.ts';
import { shownPart } from '../model/shown-part.ts';
import { lookAt } from './look.ts';

/** A text in which each id of an entry or a frame leads there, and some words are marked. */
export function Linked(props: {
  readonly text: string;
  readonly words?: readonly string[];
  readonly isOfOther?: boolean;
}): ComponentChild {
  const { text, words = [], isOfOther = false } = props;
  const lane = useLane();
  const pieces: ComponentChild[] = [];
  let end = 0;
  for (const { 0: match, 1: id, index } of text.matchAll(linkForm(words))) {
    pieces.push(text.slice(end, index));
    pieces.push(
      id === undefined ? (
        <mark key={index}>{match}</mark>
      ) : isOfOther ? (
        id
      ) : (
        <button
          key={index}
          type="button"
          class="ref"
          onClick={(event) => {
            // What stands around it leads elsewhere.
            event.stopPropagation();
            lookAt(lane, id);
          }}
        >
          {id}
        </button>
      ),
    );
    end = index + match.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

/** Characters of a text that are shown unless somebody asks for more; of an entry that was asked for alone, more of them. */
const shownText = 700;
export const shownAlone = 20_000;

/** Those before the first marked word. */
const shownBefore = 200;

/** A text, of which one longer than `most` is shown in part: from its beginning, or about the first marked word. */
export function LongText(props: {
  readonly text: string;
  readonly words?: readonly string[];
  /** In characters. */
  readonly most?: number;
  /** Whether another session said it, so that its ids lead nowhere here. */
  readonly isOfOther?: boolean;
}): ComponentChild {
  const { text, words = [], most = shownText, isOfOther = false } = props;
  const [isWhole, setWhole] = useState(false);
  const first = [...text.matchAll(linkForm(words))].find(([, id]) => id === undefined)?.index ?? 0;
  const from = first + shownBefore < most ? 0 : first - shownBefore;
  const part = shownPart(text, from, most);
  const rest = text.length - part.length;
  return (
    <>
      <pre>
        {from > 0 && !isWhole && '… '}
        <Linked text={isWhole ? text : part} words={words} isOfOther={isOfOther} />
      </pre>
      {rest > 0 && (
        <button type="button" class="more" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'less' : `${number(rest)} more characters`}
        </button>
      )}
    </>
  );
}
