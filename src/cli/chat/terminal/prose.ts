import type { Paint } from '../../paper/format.ts';
import { widthOf } from '../../paper/width.ts';
import { inline } from './inline.ts';

// Prose is broken at words while it comes: a word waits until its end is there.
// Between code fences nothing is broken, so that it can be copied.

/** Breaks text that comes in pieces into lines. */
export interface Prose {
  /** What can be shown of everything so far, and was not shown yet, in lines of `width` cells. */
  push(piece: string, width: number): string;
  /** The rest. */
  end(width: number): string;
}

/** Signs that need no space around them, for a class of an expression. */
const lone = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}、-〟！-～`;

/** Where a word begins. */
const start = `(?<![^\\s${lone}])`;

/** A line end, white space, a link with what stands behind it, a sign that needs no space around it (with those that begin no line), a word. */
const tokens = new RegExp(
  [
    String.raw`\n|[^\S\n]+`,
    String.raw`${start}\[[^\]\n]{1,80}\]\([^()\s]{1,500}\)[^\s${lone}]*`,
    `[${lone}][、。，．：；！？）」』】》〉]*`,
    String.raw`[^\s${lone}]+`,
  ].join('|'),
  'gu',
);

/** A link that is not over at the end of a text: it is shown once it is, or is none. */
const openLink = new RegExp(String.raw`${start}\[[^\]\n]{0,80}(?:\](?:\([^()\s]{0,500})?)?$`, 'u');

/** What may stand before a fence on its line. */
const marker = /^(?:[-*+>]|\d+[.)])$/;
export const fence = /^(?:```|~~~)/;

/** Longest word whose end is waited for, in UTF-16 units. */
const longest = 2_000;

/** Text from the beginning of a line; with a paint its headings, bold words and code are painted. */
export function prose(paint?: Paint): Prose {
  const style = inline(paint);
  let held = '';
  /** Cells of the line so far, and white space that is shown if a word follows. */
  let column = 0;
  let gap = '';
  let isFirst = true;
  let isFenced = false;

  const word = (text: string, width: number): string => {
    const wasFenced = isFenced;
    if (isFirst && fence.test(text)) isFenced = !isFenced;
    isFirst &&= marker.test(text);
    const space = isFenced ? gap : gap.replaceAll('\t', '    ');
    gap = '';
    const { styledText, plain } =
      wasFenced || isFenced ? { styledText: text, plain: text } : style.word(text, column === 0);
    const cells = widthOf(plain);
    const isBroken = !isFenced && column > 0 && column + space.length + cells > width;
    const lead = isBroken ? style.lead() : { styledText: '', plain: '' };
    column = isBroken ? widthOf(lead.plain) + cells : column + space.length + cells;
    if (column > width) column = column % width || width;
    return `${isBroken ? `\n${lead.styledText}` : space}${styledText}`;
  };
  const take = (token: string, width: number): string => {
    if (token.trim() !== '') return word(token, width);
    if (token !== '\n') {
      gap += token;
      return '';
    }
    const space = isFenced ? gap : '';
    [column, gap, isFirst] = [0, '', true];
    style.newLine();
    return `${space}\n`;
  };
  return {
    push(piece, width) {
      const text = held + piece;
      const link = openLink.exec(text)?.index ?? text.length;
      const parts = text.slice(0, link).match(tokens) ?? [];
      const last = parts.at(-1) ?? '';
      const isOpen = link === text.length && last.trim() !== '' && last.length < longest;
      held = isOpen ? last : text.slice(link);
      const ready = isOpen ? parts.slice(0, -1) : parts;
      return ready.map((token) => take(token, width)).join('');
    },
    end(width) {
      const rest = (held.match(tokens) ?? []).map((token) => take(token, width)).join('');
      [held, column, gap, isFirst, isFenced] = ['', 0, '', true, false];
      style.newLine();
      return rest;
    },
  };
}
