import fc from 'fast-check';
import type { SessionSummary } from '../../../src/index.ts';
import { beginBrowsing, withNews, type Browsing } from '../../../src/cli/browse/browsing.ts';
import { toldIn, type Moment } from '../../../src/cli/browse/moment.ts';
import { paperOf } from '../../../src/cli/paper/paper.ts';
import type {
  Change,
  Head,
  News,
  PromptMessage,
  Step,
} from '../../../src/viewer/page/session/model/wire.ts';

// A browser over a session that is made of words, without a store: what strangers wrote is in every text of it.

/** Text of the kind that a terminal obeys, that is wide, or that is long. */
export const hostile: readonly string[] = [
  '\x1b[2J\x1b]0;owned\x07gone',
  '字のある長い題名がここにあります、とても長い',
  '👩‍👩‍👧‍👦 family and 🇩🇪 flag',
  'a\tb\r\nc\u202edrawkcab\u202c',
  '\x9b31mred\x90q\x9c',
  'e\u0301'.repeat(30),
  'word '.repeat(60),
  'x'.repeat(300),
  '',
];

/** How large a screen is, and whether it takes plain characters alone. */
export function sizeOf(
  columns: number,
  rows: number,
  isAscii = false,
): Pick<Browsing, 'columns' | 'rows' | 'paper'> {
  const terminal = { isTTY: true, columns, rows, write: () => true };
  return { columns, rows, paper: paperOf(terminal, {}, { color: !isAscii, ascii: isAscii }) };
}

/** A session of the list. */
const summaryOf = (id: string, title: string): SessionSummary => ({
  id,
  title,
  created: 0,
  updated: 0,
  began: 0,
  said: 1_772_000_000_000,
  turns: 3,
  tokens: 12_345,
  window: 8_192,
  context: 4_000,
  folder: `/home/dev/${title}`,
  agent: title,
  pending: 0,
});

const summaries: readonly SessionSummary[] = hostile.map((text, at) =>
  summaryOf(`session-${at}`, text),
);

const texts = (n: number): string => hostile[n % hostile.length]!;

/** The news of a step: an entry, and now and then a frame, a compression, a word. */
function newsAt(n: number): readonly News[] {
  const role = (['user', 'assistant', 'tool'] as const)[n % 3]!;
  const entry: News = {
    type: 'entry',
    entry: `e${n}`,
    frame: 'f0',
    role,
    human: n % 3 === 0,
    at: 1_000 * n,
    tokens: 40,
    text: `${n} ${texts(n)}`,
  };
  const status = n % 20 === 10 ? 'in_progress' : 'completed';
  return [
    entry,
    ...(n % 10 === 0
      ? [{ type: 'frame', frame: `f${n}`, parent: 'f0', title: texts(n + 1), status } as const]
      : []),
    ...(n % 25 === 24
      ? [
          {
            type: 'compressed',
            frame: 'f0',
            checkpoint: `c${n}`,
            from: 'e2',
            to: `e${n - 5}`,
            before: 6_500,
            after: 3_000,
            names: 20,
            kept: 12,
            by: 'extract',
          } as const,
        ]
      : []),
    ...(n % 60 === 59
      ? [
          { type: 'cut', rule: 'count.cut', isCertain: n % 120 === 59, lost: ['e2-e4'] } as const,
          { type: 'recovery', stage: 'announced', text: texts(n) } as const,
          { type: 'tree', what: texts(n), frames: [] } as const,
        ]
      : []),
    ...(n % 31 === 0
      ? [{ type: 'word', word: 'compression failed', text: texts(n), isBad: true } as const]
      : []),
  ];
}

/** What a session tells of itself, in so many steps. */
export const newsOf = (steps: number): readonly (Head | Step | { readonly seq: number })[] => [
  {
    session: 'session-0',
    title: texts(0),
    place: '',
    window: 8_192,
    began: 0,
    last: steps,
    live: true,
  },
  ...Array.from({ length: steps }, (_, index): Step => {
    const seq = index + 1;
    const working = ((seq * 37) % 5_000) + 10;
    const sizes = [100, 0, 200, 300, 50, 60, 70, working];
    const at = 1_000 * seq;
    return {
      seq,
      at,
      written: at,
      turn: Math.ceil(seq / 4),
      epoch: 1,
      said: 40 * seq,
      sizes,
      limit: 6_964,
      due: 6_000,
      frame: 'f0',
      news: newsAt(seq),
    };
  }),
  { seq: steps },
];

/** A moment of that session. */
function momentOf(seq: number): Moment {
  const made = (section: string, text: string): PromptMessage => ({
    section,
    role: 'user',
    kind: 'made',
    entry: null,
    tokens: 300,
    text,
  });
  const messages: readonly PromptMessage[] = [
    made('system', hostile.join('\n')),
    made('chronicle', `After e1:\n- e2 ${texts(1)}\n- e3 ${texts(6)}`),
    made(
      'checkpoints',
      `<checkpoint id="c24" entries="e4–e${seq}">\n- e5 ${texts(2)}; worked in e6\n</checkpoint>`,
    ),
    ...hostile.map((text, at): PromptMessage => ({
      section: 'working',
      role: 'tool',
      kind: at % 2 === 0 ? 'entry' : 'shortened',
      entry: `e${seq - at}`,
      tokens: 50,
      text,
    })),
  ];
  const to = Math.max(2, seq - 10);
  const gap = {
    from: 'e2',
    to: `e${to}`,
    entries: to - 1,
    frame: 'f0',
    place: 'checkpoint',
    checkpoint: 'c24',
  };
  const frame = { id: 'f0', title: texts(0), status: 'in_progress', active: false, children: [] };
  const inner = {
    id: 'f10',
    title: texts(1),
    status: 'completed',
    active: true,
    results: texts(2),
    children: [],
  };
  return {
    seq,
    entries: seq,
    prompt: {
      seq,
      messages,
      path: hostile,
      missing: [{ how: 'checkpoint', entries: to - 1, refs: [`e2-e${to}`] }],
      names: 30,
      kept: 10,
    },
    gaps: [gap] as unknown as Moment['gaps'],
    mentions: toldIn(messages),
    tree: { ...frame, children: [inner] } as unknown as Moment['tree'],
  };
}

/** What a compression of that session changed. */
const changeOf = (seq: number): Change => ({
  seq,
  tokens: [6_500, 3_000],
  sections: [],
  left: ['e2', 'e3', 'e9'],
  came: [],
  short: [[], []],
  shortened: ['e12'],
  kept: 12,
  gained: 2,
  stayed: [],
  lost: [{ kind: 'path', names: [...hostile] }],
  gone: [],
  lines: hostile.map((text) => ({ section: 'chronicle', text: `- e4 ${text}` })),
});

/** A browser with that session open, all of it read. */
export function browsingOf(steps: number, size = sizeOf(80, 24)): Browsing {
  const begun = beginBrowsing(
    { ...size, place: texts(0) },
    { sessions: summaries, id: 'session-0' },
  );
  const open = withNews(begun.open!, newsOf(steps));
  const at = open.history.compressions.at(-1)?.at;
  const change = at === undefined ? null : changeOf(open.history.steps[at]!.seq);
  return { ...begun, open: { ...open, moment: momentOf(steps), change } };
}

/** Keys as a person presses them, and any other. */
export const keys: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...'up down left right home end page-up page-down enter escape tab back-tab'.split(' '),
    ...'backspace erase b n p g a t o q / ? 1 2 3 4'.split(' '),
    ' ',
    'paste:one\ntwo',
  ),
  fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
);
