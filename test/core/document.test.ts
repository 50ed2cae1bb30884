import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breadcrumbTypes } from '../../src/core/breadcrumb.ts';
import { dayOf, momentOf, timeOf } from '../../src/core/day.ts';
import {
  documentFile,
  emptyDocument,
  printDocument,
  type CheckpointDocument,
  type ItemKind,
  type ListItem,
} from '../../src/core/document.ts';
import { parseDocuments } from '../../src/core/document-reading.ts';
import { entryId } from '../../src/core/id.ts';

const example: CheckpointDocument = {
  id: 'notes/24',
  session: 'notes',
  at: Date.UTC(2026, 0, 31, 14, 32),
  reason: 'pop',
  messages: 24,
  note: '',
  topic: 'Building truncation protocol for context recovery',
  goal: 'Create self-healing memory system',
  priority: 'high',
  standing: 'paused',
  title: 'Memory',
  decisions: [
    { text: 'Store checkpoints in memory/YYYY-MM-DD.md', done: true },
    { text: 'Use message count for detection', done: false },
    { text: 'The count is in the header', done: true, kind: 'noted' },
  ],
  actions: [
    { text: 'Write protocol doc', done: true, kind: 'milestone' },
    { text: 'Recovery', done: false, kind: 'frame', detail: 'survives a kill — twice' },
    { text: 'Reader', done: false, kind: 'frame, planned', depth: 1 },
    { text: 'Test recovery flow', done: false },
  ],
  questions: ['Should we add token estimation?'],
  status: 'Protocol doc written.\n\nNeed to integrate into workflow.',
  files: [{ path: 'memory/TRUNCATION-PROTOCOL.md', change: 'created protocol' }],
  notes: '',
  breadcrumbs: [
    {
      type: 'file',
      reference: 'src/services/gemini.ts',
      hint: 'Gemini API client implementation',
      entries: [entryId(3), entryId(12)],
    },
    {
      type: 'decision',
      reference: 'Phase 2, Turn 47',
      hint: 'Why we chose exponential backoff',
      entries: [],
    },
  ],
};

const printed = `## Checkpoint [14:32] — Message #24

<!-- flamestack {"id":"notes/24","session":"notes","at":1769869920000,"reason":"pop"} -->

### Session Context
- **Topic:** Building truncation protocol for context recovery
- **Goal:** Create self-healing memory system (high priority, paused)
- **Title:** Memory

### Decisions Made
- [x] Store checkpoints in memory/YYYY-MM-DD.md
- [ ] Use message count for detection
- [x] The count is in the header (noted)

### Action Items
- [x] Write protocol doc (milestone)
- [ ] Recovery — survives a kill — twice (frame)
  - [ ] Reader (frame, planned)
- [ ] Test recovery flow

### Open Questions
- Should we add token estimation?

### Current Status
Protocol doc written.

Need to integrate into workflow.

### Files Modified
- \`memory/TRUNCATION-PROTOCOL.md\` — created protocol

### Breadcrumbs
| Type | Reference | Reconstruction Hint |
|------|-----------|---------------------|
| file | \`src/services/gemini.ts\` | Gemini API client implementation (e3, e12) |
| decision | Phase 2, Turn 47 | Why we chose exponential backoff |

### Message Count
**Messages this session:** 24
`;

const piece = fc.constantFrom(
  '# ',
  '## Checkpoint [10:00] — Message #3',
  '### Action Items',
  '- ',
  '- [x] ',
  '* ',
  '1. ',
  '| a | b |',
  '|',
  '```',
  '~~~ts',
  '`',
  '``',
  '> ',
  '\\',
  '\\\\',
  '\\n',
  '&amp;',
  '&#32;',
  '<br>',
  '<!--',
  '-->',
  '<b>',
  ' — ',
  ' - ',
  '—',
  '**Goal:** ',
  ' (e1, e2)',
  ' (noted)',
  '(frame)',
  '\\(milestone)',
  ' (high priority, paused)',
  '(completed)',
  ' – ',
  '(e3)',
  '---',
  '===',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '  ',
  '\u2028',
  '\u00a0',
  '\ufeff',
  '\u0000',
  '\ud800',
  '日本語',
  '你好。',
  '한국어',
  '👩‍👩‍👧',
  'é',
  'src/a.ts',
  'C:\\dir\\',
  'None.',
  '[ ] ',
  '[]',
  'x',
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 24 }),
);
const listed = { text, done: fc.boolean() };
const item: fc.Arbitrary<ListItem> = fc.record(listed);
const decision = fc.oneof(
  item,
  fc.record<ListItem>({ ...listed, kind: fc.constantFrom<ItemKind>('noted', 'directive') }),
);
const frame = fc
  .record({
    ...listed,
    kind: fc.constantFrom<ItemKind>('frame', 'frame, planned', 'frame, blocked', 'frame, failed'),
    detail: text,
  })
  .map(({ detail, ...rest }): ListItem => (detail === '' ? rest : { ...rest, detail }));
const step = fc.record<ListItem>({
  ...listed,
  kind: fc.constantFrom<ItemKind>('milestone', 'milestone, in progress', 'noted'),
});
/** Items of which some are one below the last, as a tree is printed. */
const actions = fc
  .array(fc.tuple(fc.oneof(item, step, frame), fc.nat(3)), { maxLength: 6 })
  .map((items) => {
    let depth = -1;
    return items.map(([one, deep]): ListItem => {
      depth = one.kind?.startsWith('frame') === true ? Math.min(depth + 1, deep) : 0;
      return depth === 0 ? one : { ...one, depth };
    });
  });
const few = { maxLength: 4 };
const anyDocument: fc.Arbitrary<CheckpointDocument> = fc.record({
  id: text,
  session: text,
  at: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  reason: text,
  messages: fc.nat(),
  note: text,
  topic: text,
  goal: text,
  priority: fc.constantFrom('high', 'medium', 'low'),
  notes: fc.constantFrom(
    '',
    '### Für später\nMilk\n\n- a [link](x)\n\n### 2\n- [ ] b',
    '### Notes',
  ),
  standing: fc.constantFrom('active', 'paused', 'completed'),
  title: text,
  decisions: fc.array(decision, few),
  actions,
  questions: fc.array(text, few),
  status: text,
  files: fc.array(fc.record({ path: text, change: text }), few),
  breadcrumbs: fc.array(
    fc.record({
      type: fc.constantFrom(...breadcrumbTypes),
      reference: text,
      hint: text,
      entries: fc.array(fc.integer({ min: 1, max: 999 }).map(entryId), few),
    }),
    few,
  ),
});

test('a document has the form of the truncation protocol, and breadcrumbs that of their seed', () => {
  expect(printDocument(example)).toBe(printed);
});

test('marks of a goal count in one pair of parentheses or in several', () => {
  const goal = (line: string): unknown => {
    const [found] = parseDocuments(`## Checkpoint\n### Session Context\n- **Goal:** ${line}\n`);
    return [found!.goal, found!.priority, found!.standing];
  };
  const both = ['Build a tool', 'high', 'paused'];
  expect(goal('Build a tool (high priority, paused)')).toEqual(both);
  expect(goal('Build a tool (high priority) (paused)')).toEqual(both);
  expect(goal(String.raw`Build a tool \(high priority) (paused)`)).toEqual([
    'Build a tool (high priority)',
    'medium',
    'paused',
  ]);
});

test('what is printed is read back, whatever the texts hold', () => {
  fc.assert(
    fc.property(fc.array(anyDocument, { maxLength: 3 }), fc.boolean(), (documents, windows) => {
      const file = documents.map(printDocument).join('\n');
      expect(parseDocuments(windows ? file.replaceAll('\n', '\r\n') : file)).toEqual(documents);
    }),
    { numRuns: 1_000 },
  );
});

test('an editor that strips the ends of lines changes nothing', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const file = printDocument(document).replace(/[ \t]+$/gm, '');
      expect(parseDocuments(file)).toEqual([document]);
    }),
  );
});

test('printing what was read gives the same bytes', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const file = printDocument(document);
      expect(parseDocuments(file).map(printDocument)).toEqual([file]);
    }),
  );
});

test('edits by hand count: reworded decisions, checked items, added lines', () => {
  const edited = printed
    .replace('- [ ] Use message count for detection', '- [x] Use hashes for detection')
    .replace('- [ ] Test recovery flow', '* [X] Test recovery flow\n1. Write it up\nAsk Ada')
    .replace('- Should we add', '- [ ] Who owns it?\n- Should we add')
    .replace('Need to', 'Really need\nto')
    .replace('— created protocol', '- created it\n- docs/a.md: new\n- `docs/b.md`');
  const [found] = parseDocuments(`# My notes\n\n${edited}\n## Shopping\n- [ ] milk\n`);
  expect(found?.decisions[1]).toEqual({ text: 'Use hashes for detection', done: true });
  expect(found?.actions.slice(3)).toEqual([
    { text: 'Test recovery flow', done: true },
    { text: 'Write it up', done: false },
    { text: 'Ask Ada', done: false },
  ]);
  expect(found?.questions).toEqual(['Who owns it?', 'Should we add token estimation?']);
  expect(found?.status).toBe('Protocol doc written.\n\nReally need\nto integrate into workflow.');
  expect(found?.files).toEqual([
    { path: 'memory/TRUNCATION-PROTOCOL.md', change: 'created it' },
    { path: 'docs/a.md: new', change: '' },
    { path: 'docs/b.md', change: '' },
  ]);
});

test('a document that a person wrote is read with the day of its file', () => {
  const file =
    '## Checkpoint [9:05] - Message #7\n### Action items\n- [ ] Call Ada\n  about the\n  tests\n';
  expect(parseDocuments(file, '2026-02-28')).toEqual([
    {
      ...emptyDocument,
      at: Date.UTC(2026, 1, 28, 9, 5),
      messages: 7,
      actions: [{ text: 'Call Ada\nabout the\ntests', done: false }],
    },
  ]);
});

test('reading never throws, whatever the file', () => {
  fc.assert(fc.property(text, (rest) => void parseDocuments(`## Checkpoint [\n${rest}`)));
});

test('days and times are those of the calendar', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (at) => {
      const iso = new Date(at).toISOString();
      expect([dayOf(at), timeOf(at)]).toEqual([iso.slice(0, 10), iso.slice(11, 16)]);
      expect(momentOf(dayOf(at), timeOf(at))).toBe(at - (at % 60_000));
      expect(documentFile(at)).toBe(`${iso.slice(0, 10)}.md`);
    }),
  );
});
