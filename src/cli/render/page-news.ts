import type { SessionFact } from '../../index.ts';
import { cleanLine } from '../paper/clean.ts';

/** What became of a page that somebody edited. */
export type PageFact = Extract<SessionFact, { type: 'page.edited' | 'page.refused' }>;

/** Most lines of an edit that are told. */
const most = 6;

/** What was taken in of an edited page, line by line, and as whose words; or why it was refused and what to do. */
export function pageNews(fact: PageFact): string {
  if (fact.type === 'page.refused') return refusal(fact.reason, cleanLine(fact.kept));
  const { added, removed, human } = fact;
  const lines = [...added.map((line) => `+ ${line}`), ...removed.map((line) => `- ${line}`)];
  const more = lines.length > most ? [`… and ${lines.length - most} more`] : [];
  const changeLines = [...lines.slice(0, most).map(cleanLine), ...more];
  const whose = human ? 'your words' : "the model's, which named the page in a call";
  return [`The edit of NOW.md is taken in as ${whose}:`, ...changeLines].join('\n  ');
}

function refusal(reason: string, kept: string): string {
  if (reason === 'ENOENT')
    return [
      `NOW.md was of no session of this store: it is kept as ${kept}, and not taken in.`,
      'To go on from it in a new session: flamestack recover NAME --from its path',
    ].join('\n  ');
  const [why, cure] = reasons[reason] ?? [`the system says ${reason}`, 'mend that'];
  return `NOW.md is not read and stays as it is, out of date: ${why} (${reason}); ${cure}.`;
}

const away = 'move it away, and the page is written again';

const reasons: Readonly<Record<string, readonly [why: string, cure: string]>> = {
  EFBIG: ['it has more than 64 KB', 'shorten it or move it away'],
  EMSGSIZE: ['more than 8 KB were put in', 'shorten that'],
  EILSEQ: ['it is no text in UTF-8', away],
  ELOOP: ['it is a link, and none is followed', away],
  EISDIR: ['it is a folder', away],
};
