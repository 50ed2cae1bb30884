import { around, directiveAt } from './directives.ts';
import { withoutScreen } from './pasted.ts';
import { isObjection } from './rejections.ts';
import { isSmallTalk } from './requests.ts';
import { laidDownIn } from './rulings.ts';
import { oneLine, prose, sentences, wordCount } from '../text/sentences.ts';

/** A sentence of a person, verbatim. */
export interface QuotedSentence {
  readonly text: string;
  /** Its place among the quotes, from 0: the most telling first. */
  readonly rank: number;
  /** Its place in the text, in UTF-16 units. */
  readonly at: number;
  /** Whether it lays down what goes on to hold; left out where it does not. */
  readonly isRule?: true;
}

/** Most quotes of one text. */
const mostQuotes = 12;

/** Most words of a refusal that says nothing alone, and fewest of a sentence that says something by itself. */
const words = { refusal: 4, sentence: 3 } as const;

/**
 * The sentences of human text that tell most of it, verbatim, in the order of the text: what is laid
 * down, what is asked, what stands behind a refusal, and how it begins; shorter ones before longer ones, small talk last. Of the lines of a screen, a log
 * or a trace there is something only where there is nothing else.
 */
export function quotesIn(text: string): readonly QuotedSentence[] {
  let from = 0;
  const all = sentences(prose(text));
  const typed = new Set(sentences(withoutScreen(prose(text))));
  const own = all.filter((sentence) => typed.has(sentence));
  const sentencesToQuote = own.length > 0 ? own : all;
  const first = sentencesToQuote.findIndex(saysSomething);
  const rules = laidDownIn(text, false).sentences;
  const quotes = sentencesToQuote.flatMap((sentence, index) => {
    const laidDown = directiveAt(sentence);
    const said = around(sentence, laidDown ?? 0);
    const at = text.indexOf(said, from);
    if (said.length < 3) return [];
    from = at + said.length;
    const isCorrection = index > 0 && isBareRefusal(sentencesToQuote[index - 1]!);
    const value = isSmallTalk(sentence)
      ? 0.1
      : (laidDown !== null || isCorrection ? 1.6 : saysSomething(sentence) ? 0.6 : 0.3) +
        (index === first ? 0.8 : 0) +
        (sentence.endsWith('?') ? 0.4 : 0);
    const isRule = rules.some((rule) => rule.includes(oneLine(said)));
    return [{ text: said, at, isRule, value: value / Math.sqrt(12 + said.length / 4) }];
  });
  // What leads to something says nothing alone: it is quoted only behind that; a refusal right behind what holds instead.
  let after = 0;
  for (const quote of quotes.toReversed()) {
    if (quote.text.endsWith(':')) quote.value = Math.min(quote.value, after) * 0.99;
    else if (after > 0 && isBareRefusal(quote.text)) quote.value = after * 0.99;
    after = quote.value;
  }
  return quotes
    .sort((a, b) => b.value - a.value)
    .slice(0, mostQuotes)
    .map(({ text: said, at, isRule }, rank) => ({
      text: said,
      rank,
      at,
      ...(isRule && { isRule }),
    }))
    .sort((a, b) => a.at - b.at);
}

/** Whether a sentence refuses, and does not say what holds instead. */
const isBareRefusal = (sentence: string): boolean =>
  wordCount(sentence) <= words.refusal && isObjection(sentence);

/** Whether a sentence says something by itself; in scripts without blanks a word may be all of it. */
const saysSomething = (sentence: string): boolean =>
  !isSmallTalk(sentence) &&
  (wordCount(sentence) >= words.sentence || /[^\u0000-\u2fff]{4}/.test(sentence));

/** Sentences, in their order, as they stand in a text that has nothing else: behind the end of one a space, else a line break, or a blank line. */
export function joinedSentences(quotes: readonly Pick<QuotedSentence, 'text' | 'at'>[]): string {
  let text = '';
  for (const { text: said, at } of quotes) {
    const gap = at - text.length;
    const isEnd = /[.!?]$/.test(text);
    text += (gap < 1 ? '' : gap > 1 ? '\n\n' : isEnd ? ' ' : '\n') + said;
  }
  return text;
}
