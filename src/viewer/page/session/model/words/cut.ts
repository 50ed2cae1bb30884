import type { CutNews } from '../wire.ts';

/** What a cut is called, by the rule that noticed it. */
export function nameOfCut(news: CutNews | null): string {
  if (news === null) return 'Recovery';
  const [what, perhaps] = names[news.rule] ?? [server, perhapsServer];
  return news.isCertain ? what : perhaps;
}

/** What a cut is called, and how it was noticed, in words. */
export const whatNoticed = (news: CutNews): string => `${nameOfCut(news)}: ${howNoticed(news)}`;

/** How a cut was noticed, in words. */
export const howNoticed = ({ rule }: CutNews): string => noticed[rule] ?? rule;

const server = 'The server cut the prompt';
const perhapsServer = 'The server may have cut the prompt';

const same = (name: string): readonly [string, string] => [name, name];

const names: Readonly<Record<string, readonly [string, string]>> = {
  'prompt.refused': same('The server refused the prompt'),
  'history.changed': same('The host changed its list'),
  'coverage.broken': same('Entries were left out'),
  'recovery.asked': same('A recovery was asked for'),
  'messages.fell': same('The host has fewer messages'),
  'answer.asks': same('The model lost the thread'),
};

const noticed: Readonly<Record<string, string>> = {
  'prompt.refused': 'it was too long',
  'count.cut': 'it counted exactly what is left of a prompt that is cut to a window',
  'count.capped': 'its count fell again and again, though the prompt only grew',
  'window.exceeded': 'the prompt was longer than the window that it has',
  'history.changed': 'it is no longer the log',
  'coverage.broken': 'nothing in the prompt leads to them',
  'recovery.asked': 'by a person, or a program',
  'count.usual': 'it counted what is left of a prompt that is cut to a usual window',
  'window.likely': 'the prompt was probably longer than the window that it has',
  'count.fell': 'it counted less than before, though the prompt only grew',
  'count.low': 'it counted less than such a text can have',
  'count.missing': 'it gave no count, and a shorter prompt was cut before',
  'messages.fell': 'it did not say that it compacted them',
  'answer.asks': 'it asks what it was doing',
};

/** How far a recovery is. */
export const stageWords = {
  announced: 'announced',
  asked: 'asked',
  cancelled: 'given up',
  recovered: 'recovered',
} as const;
