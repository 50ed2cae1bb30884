import fc from 'fast-check';
import { honest, type Behavior } from '../scripted-summarizer.ts';

const after = fc.constantFrom(0, 200, 900, 4_000);

/** What a summarizer may do with a call, in good and in bad. */
export const behavior: fc.Arbitrary<Behavior> = fc.oneof(
  { weight: 3, arbitrary: after.map((ms) => ({ say: honest, after: ms })) },
  { weight: 1, arbitrary: after.map((ms) => ({ fail: 'busy', after: ms })) },
  { weight: 1, arbitrary: fc.constantFrom(...wrong()) },
  { weight: 1, arbitrary: fc.constant({ hold: true as const }) },
);

function wrong(): Behavior[] {
  const texts: unknown[] = [
    '',
    '   \n',
    'same '.repeat(400),
    'a\n'.repeat(40),
    long(),
    undefined,
    7,
    {},
  ];
  return texts.map((text) => ({ say: () => text }));
}

/** More than any target. */
function long(): string {
  return Array.from({ length: 3_000 }, (_, n) => `word${n}`).join(' ');
}
