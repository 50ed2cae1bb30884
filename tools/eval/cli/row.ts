import type { Total } from '../index.ts';
import { sections } from '../../../src/index.ts';
import { number } from '../../../src/cli/paper/size.ts';

/** One line of the table: a measure of what its columns are. */
export interface Row<Column = Total> {
  readonly label: string;
  /** What it says, for the end of the page; '' where the label says it. */
  readonly about: string;
  /** Null where nothing was there to measure. */
  readonly value: (column: Column) => number | null;
  /** The value as it is printed. */
  readonly show: (value: number) => string;
  /** Whether the greatest value is the best. */
  readonly isRated: boolean;
}

/** Rows under a title. */
export interface Group<Column = Total> {
  readonly title: string;
  readonly rows: readonly Row<Column>[];
}

const hundredths = (value: number): string => (100 * value).toFixed(1);

/** A share, 0 to 1, in per cent; the greatest is the best. */
export function share<Column = Total>(
  label: string,
  value: Row<Column>['value'],
  about = '',
): Row<Column> {
  return { label, about, value, show: hundredths, isRated: true };
}

/** What stays of what was said. */
export const kept: Group = {
  title: 'Kept, in %',
  rows: [
    share(
      'far references',
      ({ rates }) => rates.far,
      'names that the next message uses and a plain window of the budget has lost, still there: the measure to look at first',
    ),
    share('  paths', ({ rates }) => rates.farByClass.path),
    share('  identifiers', ({ rates }) => rates.farByClass.identifier),
    share('  commands', ({ rates }) => rates.farByClass.command),
    share(
      '  literals',
      ({ rates }) => rates.farByClass.literal,
      'URLs, ids, hashes, versions, numbers',
    ),
    share('  errors', ({ rates }) => rates.farByClass.error),
    share(
      'found again',
      ({ rates }) => rates.recalled,
      'far references whose entry is among the first ten hits of a query made of the newest three messages',
    ),
    share(
      '  in any entry',
      ({ rates }) => rates.recalledAnywhere,
      'those that any of these hits mentions',
    ),
    share(
      '  by name',
      ({ rates }) => rates.recalledByName,
      'those that a hit mentions when the name itself is asked for',
    ),
    share(
      'all references',
      ({ rates }) => rates.names,
      'all names that the next message uses and history holds, near ones too',
    ),
    share(
      'across frames',
      ({ rates }) => rates.crossFrame,
      'names that were last mentioned in another frame',
    ),
    share(
      'copied spans',
      ({ rates }) => rates.spans,
      'runs of eight words that the next message copies, still there word for word',
    ),
    share('  far ones', ({ rates }) => rates.farSpans, 'those from further back than the budget'),
    share(
      'directives',
      ({ rates }) => rates.directives,
      "sentences of people with don't, never, always, must, use, only …: 60 % of the words in one line",
    ),
    share(
      'human, verbatim',
      ({ rates }) => rates.human,
      'messages that people typed, still there word for word',
    ),
  ],
};

/** What of each section was worth its tokens. */
export const used: Group = {
  title: 'Used again, in %',
  rows: sections.map((section) =>
    share(
      section,
      ({ rates }) => rates.yield[section],
      section === 'working'
        ? 'of the tokens of a section, those that later assistant messages say or name again; working are the entries'
        : '',
    ),
  ),
};

/** What it takes. */
export const cost: Group = {
  title: 'Cost',
  rows: [
    share(
      'same start, in %',
      ({ rates }) => rates.prefix,
      'share of a context that begins like the one before, which a server has cached',
    ),
    tokens('mean context', ({ rates }) => rates.mean, 'tokens of a context, on average'),
    tokens('greatest context', ({ tally }) => tally.greatest),
    tokens('compressions', ({ tally }) => tally.spending.compressions),
    tokens(
      'summarizer in',
      ({ rates }) => rates.summarizerIn,
      'tokens that summaries were made from, for each 1,000 of history',
    ),
    tokens(
      'summarizer out',
      ({ rates }) => rates.summarizerOut,
      'tokens of the summaries, likewise',
    ),
    {
      label: 'ms per context',
      about: 'taking in what came since the one before, and making it',
      value: ({ rates }) => rates.ms,
      show: (value) => value.toFixed(1),
      isRated: false,
    },
  ],
};

/** A number of tokens or of things. */
export function tokens<Column = Total>(
  label: string,
  value: Row<Column>['value'],
  about = '',
): Row<Column> {
  return { label, about, value, show: number, isRated: false };
}

/** What no server would take, or what is not true; each should be 0. */
export const broken: Group = {
  title: 'Broken',
  rows: [
    fault('over the budget', 'over', 'contexts of more tokens than the budget'),
    fault('refused', 'refused', 'contexts that could not be made'),
    fault('orphan results', 'orphans', 'contexts with a tool result whose call is gone'),
    fault('open calls', 'open', 'contexts with a call without its result, not at the end'),
    fault('altered', 'altered', 'messages that claim to be verbatim and are not'),
    fault('out of order', 'disordered', 'contexts with entries out of order'),
    fault('said twice', 'repeated', 'contexts with an entry twice'),
    fault('empty', 'empty', 'contexts with nothing but the system prompt'),
    fault('no user message', 'userless', 'contexts that some servers answer with an error'),
    {
      label: 'broken logs',
      about: 'files whose log did not come back byte for byte',
      value: ({ tally }) => tally.brokenLogs,
      show: number,
      isRated: false,
    },
  ],
};

function fault(label: string, name: keyof Total['tally']['faults'], about: string): Row {
  return { label, about, value: ({ tally }) => tally.faults[name], show: number, isRated: false };
}
