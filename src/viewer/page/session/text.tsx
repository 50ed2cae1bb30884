import type { ComponentChild } from 'preact';
import { lookAt } from './store.ts';

/** Ids of entries, ranges of them, frames, and nothing else that only looks like one. */
const ids = /\b(?:e\d+(?:-e\d+)?|f\d+)\b/g;

/** A text in which each id of an entry or a frame leads there. */
export function Linked({ text }: { readonly text: string }): ComponentChild {
  const pieces: ComponentChild[] = [];
  let end = 0;
  for (const { 0: id, index } of text.matchAll(ids)) {
    pieces.push(text.slice(end, index));
    pieces.push(
      <button key={index} type="button" class="ref" onClick={() => lookAt(id)}>
        {id}
      </button>,
    );
    end = index + id.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}
