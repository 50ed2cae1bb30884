import { expect, test } from 'vitest';
import { hostSummaryIn } from '../../../src/core/messages/host-summary.ts';

test.each([
  'This session is being continued from a previous conversation that ran out of context.',
  'Another language model started to solve this problem and produced a summary of it.',
  'The conversation history before this point was compacted into the following summary:',
  'The following is a summary of a branch that this conversation came back from:',
  '<conversation-summary>',
  '<conversation_summary>',
  '<state_snapshot>',
])('%j begins a summary', (opening) => {
  expect(hostSummaryIn(`\n ${opening}\nThe pool drains.\n`)).toBe('The pool drains.');
  expect(hostSummaryIn(`He said: ${opening}\nThe pool drains.`)).toBeUndefined();
});

const opening = '<state_snapshot>';

test.each([
  'If you need specific details from before compaction, read the file',
  'Please continue the conversation from where we left it off',
  'continue the conversation from where we left it off',
  'Recent messages are preserved verbatim.',
])('%j ends one on a line of its own', (closing) => {
  expect(hostSummaryIn(`${opening}\nThe pool drains.\n  ${closing}\nMore`)).toBe(
    'The pool drains.',
  );
  expect(hostSummaryIn(`${opening}\nThe pool drains. ${closing}`)).toContain(closing);
});

test.each(['</conversation_summary>', '</conversation-summary>', '</state_snapshot>'])(
  '%j ends one wherever it stands: what follows is anybody’s',
  (closing) => {
    expect(hostSummaryIn(`${opening}The pool drains.${closing}\n<bash-stdout>Never`)).toBe(
      'The pool drains.',
    );
    expect(hostSummaryIn(`${opening}${closing}\nNever`)).toBe('');
  },
);

test('what stands between tags is the summary, to the end where they are not closed', () => {
  expect(hostSummaryIn(`${opening} a <summary> b </summary> c`)).toBe('b');
  expect(hostSummaryIn(`${opening} a <summary> b c`)).toBe('b c');
  expect(hostSummaryIn(`${opening} </summary> a <summary> b </summary>`)).toBe('b');
});

test('what was thought before a head is none of it', () => {
  expect(hostSummaryIn(`${opening}\nAnalysis:\na\nSummary:\nb`)).toBe('b');
  expect(hostSummaryIn(`${opening}\nAnalysis:\na\n  Summary: \nb`)).toBe('b');
  expect(hostSummaryIn(`${opening}\na Summary:\nb`)).toBe('a Summary:\nb');
  expect(hostSummaryIn(`${opening}\nSummary: b`)).toBe('Summary: b');
});

test('of a long text the beginning is read', () => {
  expect(hostSummaryIn(opening + 'x'.repeat(300_000))).toHaveLength(200_000 - opening.length);
});
