import type { Fact, FrameNode, Goal, ReplayStep } from '../../index.ts';
import type { FrameNews, Head, News, ShortenedNews } from '../../viewer/page/session/model/wire.ts';

/** What later news say of earlier ones. */
export interface Teller {
  /** Whose news they are: a root frame without a title of its own has the id for one, and is called as `ls` calls the session. */
  readonly of: { readonly session: string; readonly title: string };
  /** Tokens of the prompt before the step. */
  total: number;
  /** Tokens of the server for one of ours, once the prompt is told in its tokens; null before. */
  scale: number | null;
  /** When the entry before was said; before the first, when that was. */
  said: number;
  readonly titles: Map<string, string>;
  readonly parents: Map<string, string | null>;
  readonly statuses: Map<string, string>;
  goal: Goal | null;
  /** How the server counts, as far as was learned; null before. */
  learned: Learned | null;
}

type Learned = NonNullable<Extract<Fact, { readonly type: 'assembly.sent' }>['calibration']>;

/** Before anything was told. */
export const newTeller = ({ session, title, began }: Head): Teller => ({
  of: { session, title },
  total: 0,
  scale: null,
  said: began,
  titles: new Map(),
  parents: new Map(),
  statuses: new Map(),
  goal: null,
  learned: null,
});

/** What goes with a fact. */
interface NewsContext {
  readonly step: ReplayStep;
  readonly teller: Teller;
}

/** What a fact tells whoever looks at a session; nothing for those that only keep it going. */
export function newsOf(fact: Fact, context: NewsContext): readonly News[] {
  const tell = tellers[fact.type] as
    | ((fact: Fact, context: NewsContext) => readonly News[])
    | undefined;
  return tell?.(fact, context) ?? [];
}

type Tellers = {
  readonly [Type in Fact['type']]?: (
    fact: Extract<Fact, { readonly type: Type }>,
    context: NewsContext,
  ) => readonly News[];
};

const tellers: Tellers = {
  'session.created': ({ identity }, { teller }) => {
    teller.titles.set('f0', identity.title);
    return [frameNews('f0', 'in_progress', teller)];
  },
  'frame.pushed': ({ frame, parent, identity }, { teller }) => {
    teller.titles.set(frame, identity.title);
    teller.parents.set(frame, parent);
    return [frameNews(frame, 'in_progress', teller)];
  },
  'frame.planned': ({ frame, parent, identity }, { teller }) => {
    teller.titles.set(frame, identity.title);
    teller.parents.set(frame, parent);
    return [frameNews(frame, 'planned', teller)];
  },
  'frame.started': ({ frame }, { teller }) => [frameNews(frame, 'in_progress', teller)],
  'frame.edited': ({ frame, identity }, { teller }) => {
    teller.titles.set(frame, identity.title);
    return [frameNews(frame, 'planned', teller)];
  },
  'frame.retried': ({ frame, of }, { teller }) => {
    teller.titles.set(frame, teller.titles.get(of) ?? frame);
    teller.parents.set(frame, teller.parents.get(of) ?? null);
    return [frameNews(frame, 'in_progress', teller)];
  },
  'frame.popped': ({ frame, status }, { step, teller }) => [
    frameNews(frame, status, teller),
    ...fallenBelow(frame, step, teller),
  ],
  'frame.invalidated': ({ frame }, { step, teller }) => [
    frameNews(frame, 'invalidated', teller),
    ...fallenBelow(frame, step, teller),
  ],
  'state.restored': ({ what }, { step, teller }) => [
    { type: 'tree', what, frames: treeNews(step.tree(), null, teller) },
  ],
  'compression.finished': (fact, { step, teller }) => {
    const { frame, checkpoint, facts: names, kept } = fact;
    const scale = teller.scale ?? 1;
    const due = fact.before + cutBefore(fact, step.facts);
    const [before, after] = [Math.round(due * scale), Math.round(fact.after * scale)];
    const summary = step.state.checkpoints.find(({ id }) => id === checkpoint);
    const { from = '', to = '', by = fact.by } = summary ?? {};
    const shortened = shortenedFirst(fact, step.facts);
    const fields = { frame, checkpoint, from, to, before, after, names, kept, by };
    return [{ type: 'compressed', ...fields, ...(shortened !== null && { shortened }) }];
  },
  'assembly.sent': ({ inputTokens: counted, usage, calibration }, { teller }) => {
    teller.learned = calibration ?? teller.learned;
    if (counted === undefined) return [];
    const ours = teller.scale === null ? inOurs(counted, teller.learned) : counted;
    const { cachedInputTokens: cached, outputTokens: answered } = usage ?? {};
    const fields = { sent: teller.total, counted, ours };
    const rest = {
      ...(cached !== undefined && { cached }),
      ...(answered !== undefined && { answered }),
    };
    return [{ type: 'counted', ...fields, ...rest }];
  },
  'goal.set': ({ goal }, { teller }) => goalNews(goal, teller),
  'goal.updated': ({ goal }, { teller }) => goalNews(goal, teller),
  'truncation.suspected': ({ rule, truncation, lost }) => [
    {
      type: 'cut',
      rule,
      isCertain: truncation === 'certain',
      lost: lost.map(({ from, to }) => (from === to ? from : `${from}-${to}`)),
    },
  ],
  'recovery.announced': ({ text }) => recovery('announced', text),
  'recovery.moved': ({ state }) =>
    state === null ? [] : recovery('asked', 'Does this match where we left off?'),
  'recovery.cancelled': () => recovery('cancelled', 'Given up.'),
  'session.recovered': ({ line }) => recovery('recovered', line),
  'compression.failed': ({ reason }) => word('compression failed', reason, true),
  'snapshot.created': ({ snapshot: { id: snapshot, seq, title, by } }) => [
    { type: 'snapshot', snapshot, seq, title, by },
  ],
  'snapshot.deleted': ({ snapshot }) => [{ type: 'snapshot gone', snapshot }],
  'document.written': ({ file }) => word('document', file),
  'entry.redacted': ({ entry }) => word('redacted', entry),
};

/**
 * What entries that came in a step had been cut by before its first compression, in tokens: it was due for the
 * prompt that had them whole.
 */
function cutBefore(compression: Fact, facts: readonly Fact[]): number {
  if (facts.find(({ type }) => type === compression.type) !== compression) return 0;
  const cuts = new Map<string, { readonly whole: number; readonly cut: number }>();
  for (const fact of facts) {
    if (fact.type === 'checkpoint.created') break;
    if (fact.type === 'entry.appended')
      cuts.set(fact.entry, { whole: fact.tokens, cut: fact.tokens - fact.shown });
    const earlierCut = fact.type === 'entry.shortened' ? cuts.get(fact.entry) : undefined;
    if (fact.type === 'entry.shortened' && earlierCut !== undefined)
      cuts.set(fact.entry, { ...earlierCut, cut: earlierCut.whole - fact.tokens });
  }
  return [...cuts.values()].reduce((sum, { cut }) => sum + cut, 0);
}

/** What a step had shortened before its first compression of what was there before it. */
function shortenedFirst(compression: Fact, facts: readonly Fact[]): Shortened | null {
  if (facts.find(({ type }) => type === compression.type) !== compression) return null;
  const first = facts.slice(
    0,
    facts.findIndex(({ type }) => type === 'checkpoint.created'),
  );
  const came = new Set(first.flatMap((one) => (one.type === 'entry.appended' ? [one.entry] : [])));
  return shortenedIn(first.filter((one) => one.type !== 'entry.shortened' || !came.has(one.entry)));
}

/** The entries that a step shortened or cleared, and how many it put behind a breadcrumb; a compression tells of its own. */
export function shortenedNews(facts: readonly Fact[]): readonly News[] {
  const fields = shortenedIn(facts);
  if (fields === null || facts.some(({ type }) => type === 'compression.finished')) return [];
  return [{ type: 'shortened', ...fields }];
}

type Shortened = Omit<ShortenedNews, 'type'>;

/** What facts shortened, cleared or put behind a breadcrumb; null for nothing. */
function shortenedIn(facts: readonly Fact[]): Shortened | null {
  const positions = facts.flatMap((fact) => {
    if (fact.type === 'entry.shortened') return [Number(fact.entry.slice(1))];
    if (fact.type === 'entry.cleared') return fact.entries.map(([n]) => n);
    return [];
  });
  const hidden = facts.reduce(
    (sum, fact) => (fact.type === 'entry.offloaded' ? sum + fact.entries.length : sum),
    0,
  );
  if (positions.length + hidden === 0) return null;
  const sorted = [...new Set(positions)].sort((one, other) => one - other);
  return { entries: sorted.map((n) => `e${n}`), hidden };
}

/** A count of a server in our tokens, by what was learned of its counts. */
const inOurs = (counted: number, learned: Teller['learned']): number => {
  if (learned === null) return counted;
  const { last, overhead, ratio } = learned;
  if (last?.reported === counted) return last.estimate;
  return Math.round(Math.max(0, counted - overhead) / ratio);
};

const word = (name: string, text: string, isBad = false): readonly News[] => [
  { type: 'word', word: name, text, isBad },
];

const recovery = (
  stage: Extract<News, { type: 'recovery' }>['stage'],
  text: string,
): readonly News[] => [{ type: 'recovery', stage, text }];

/** What is new of a goal: its description, or what was laid down, reached or made. */
function goalNews(goal: Goal, teller: Teller): readonly News[] {
  const before = teller.goal;
  teller.goal = goal;
  if (before?.description !== goal.description) return word('goal', goal.description);
  const fresh = <T>(now: readonly T[], was: readonly T[]): readonly T[] => {
    const texts = new Set(was.map((one) => JSON.stringify(one)));
    return now.filter((one) => !texts.has(JSON.stringify(one)));
  };
  return [
    ...fresh(goal.milestones, before.milestones).flatMap(({ text, status }) =>
      word('milestone', `${text}: ${status.replaceAll('_', ' ')}`),
    ),
    ...fresh(goal.decisions, before.decisions).flatMap(({ text }) => word('decision', text)),
    ...fresh(goal.artifacts, before.artifacts).flatMap(({ path, change }) =>
      word('file', `${path} ${change}`),
    ),
  ];
}

function frameNews(frame: string, status: string, teller: Teller): FrameNews {
  const { of, titles, parents, statuses } = teller;
  statuses.set(frame, status);
  const [parent, own] = [parents.get(frame) ?? null, titles.get(frame) ?? frame];
  const title = parent === null && own === of.session ? of.title : own;
  return { type: 'frame', frame, parent, title, status };
}

/** The frames that fell with one above them, which no fact names. */
function fallenBelow(frame: string, step: ReplayStep, teller: Teller): readonly FrameNews[] {
  // To lay out all frames at the end of each takes the time of their square.
  if (![...teller.parents.values()].includes(frame)) return [];
  const within = (node: FrameNode, isBelow: boolean): readonly FrameNews[] =>
    node.children.flatMap((child) => {
      const hasFallen =
        child.status === 'invalidated' && teller.statuses.get(child.id) !== child.status;
      return [
        ...(isBelow && hasFallen ? [frameNews(child.id, child.status, teller)] : []),
        ...within(child, isBelow || child.id === frame),
      ];
    });
  const root = step.tree();
  return within(root, root.id === frame);
}

function treeNews(node: FrameNode, parent: string | null, teller: Teller): readonly FrameNews[] {
  const { id, title, status, children } = node;
  teller.titles.set(id, title);
  teller.parents.set(id, parent);
  return [
    frameNews(id, status, teller),
    ...children.flatMap((child) => treeNews(child, id, teller)),
  ];
}
