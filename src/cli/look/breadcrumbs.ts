import type { Breadcrumb, BreadcrumbType } from '../../index.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { table, type Column } from '../paper/table.ts';
import { cut } from '../paper/width.ts';
import { asWord } from '../sessions/as-word.ts';
import { readSession } from '../sessions/with-session.ts';
import { shownCheckpoint } from './merged-checkpoint.ts';

/** Options of `breadcrumbs` alone. */
export interface BreadcrumbsOptions {
  readonly session?: string | undefined;
  readonly type?: BreadcrumbType | undefined;
  readonly checkpoint?: string | undefined;
}

const columns: readonly Column[] = [
  { title: 'type' },
  { title: 'reference' },
  { title: 'entries' },
  { title: 'hint', gives: true },
];

/** Share of a line that a reference may take. */
const referenceShare = 0.5;

/** Lists the breadcrumbs of the latest session, or of another; gives the exit code. */
export async function breadcrumbs(
  words: readonly string[],
  options: BreadcrumbsOptions,
  call: CommandCall,
): Promise<number> {
  const { session: said, type, checkpoint } = options;
  return readSession(call, said, async (session, _, sessions) => {
    const wanted = words.join(' ').toLowerCase().split(/\s+/);
    const holder =
      checkpoint === undefined
        ? undefined
        : await shownCheckpoint(session, checkpoint, call.io.signal);
    if (holder !== checkpoint)
      call.note(`${checkpoint} was merged into ${holder}, whose breadcrumbs these are.`);
    const matches = session.breadcrumbs(holder).filter((one) => {
      const text = `${one.reference} ${one.hint}`.toLowerCase();
      return (type ?? one.type) === one.type && wanted.every((word) => text.includes(word));
    });
    if (call.json) {
      call.emit('flamestack.breadcrumbs/1', { session: session.id, breadcrumbs: matches });
    } else if (matches.length === 0) {
      call.note(
        session.state.compressions === 0
          ? 'No breadcrumbs: nothing of this left the window.'
          : `No breadcrumbs of this; what left the window is found with flamestack search <words>${storeArgument(call)}.`,
        ...asWord(words, sessions),
      );
    } else {
      const paper = call.paper();
      const longest = Math.floor(paper.longest * referenceShare);
      const rows = matches.map((one) => row(one, (text) => cut(text, longest, paper.glyphs.more)));
      const [head = '', ...lines] = table(columns, rows, paper);
      call.print(paper.paint(head, 'gray'), ...lines);
      const sessionArgument = said === undefined ? '' : ` --session ${quote(cleanLine(said))}`;
      const entry = matches.find(({ entries }) => entries.length > 0)?.entries.at(-1);
      if (entry !== undefined)
        call.note('', `Open: flamestack expand ${entry}${sessionArgument}${storeArgument(call)}`);
    }
    return matches.length === 0 ? exits.nothing : exits.done;
  });
}

/** The newest entry of a breadcrumb, and how many more it came from. */
function row(
  { type, reference, hint, entries }: Breadcrumb,
  fitted: (text: string) => string,
): readonly string[] {
  const more = entries.length > 1 ? ` +${entries.length - 1}` : '';
  return [type, fitted(cleanLine(reference)), `${entries.at(-1) ?? ''}${more}`, cleanLine(hint)];
}
