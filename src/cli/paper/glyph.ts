/** Every sign that is not a letter; each group of the bar has its own, so that it reads without color. */
export interface Glyphs {
  readonly pinned: string;
  readonly frames: string;
  readonly checkpoints: string;
  readonly chronicle: string;
  readonly working: string;
  readonly free: string;
  readonly mark: string;
  readonly tee: string;
  readonly end: string;
  readonly bar: string;
  readonly rule: string;
  readonly completed: string;
  readonly failed: string;
  readonly blocked: string;
  readonly active: string;
  readonly planned: string;
  readonly invalidated: string;
  readonly goal: string;
  readonly compression: string;
  readonly shortened: string;
  readonly offloaded: string;
  readonly note: string;
  readonly more: string;
  readonly to: string;
  readonly call: string;
  readonly dot: string;
}

/** For terminals with a full font. */
export const full: Glyphs = {
  pinned: '▚',
  frames: '▒',
  checkpoints: '▓',
  chronicle: '░',
  working: '█',
  free: '·',
  mark: '┃',
  tee: '├─ ',
  end: '└─ ',
  bar: '│  ',
  rule: '─',
  completed: '✓',
  failed: '✗',
  blocked: '‖',
  active: '▶',
  planned: '○',
  invalidated: '⊘',
  goal: '◆',
  compression: '▼',
  shortened: '≈',
  offloaded: '↓',
  note: '•',
  more: '…',
  to: '→',
  call: '↳',
  dot: '·',
};

/** For `--ascii` and dumb terminals. */
export const ascii: Glyphs = {
  pinned: '%',
  frames: '-',
  checkpoints: '=',
  chronicle: ':',
  working: '#',
  free: '.',
  mark: '|',
  tee: '|- ',
  end: '`- ',
  bar: '|  ',
  rule: '-',
  completed: '*',
  failed: 'x',
  blocked: '"',
  active: '>',
  planned: 'o',
  invalidated: '/',
  goal: '@',
  compression: 'v',
  shortened: '~',
  offloaded: '_',
  note: '-',
  more: '...',
  to: '->',
  call: '+',
  dot: '-',
};
