import { describe, expect, test } from 'vitest';
import { moodOf } from '../../../src/core/file-events/remark-mood.ts';

describe('what a sentence that names a file tells', () => {
  test.each([
    // Somebody is going to do it.
    'I’ll move the salt into src/hash.ts so that both share it',
    'We need to first rename the table in src/rows.sql',
    'Let’s remove src/old.ts since nobody imports it',
    'The lock is never given back in src/pool.ts, so I’ll wrap it in a guard',
    'Replace the loop in src/hash.ts by a map',
    'In `load()`, replace the check of src/hash.ts',
    // The file, or its code, has to change.
    'The `src/hash.test.ts` needs updating for the new salt',
    'src/hash.ts should be renamed, for it hashes nothing',
    'The parser must be extracted from src/main.ts',
  ])('a plan: %s', (text) => {
    expect(moodOf(text, false)).toBe('plan');
  });

  test.each([
    // Offers, and what might be done.
    'We could keep it small and change src/hash.ts alone',
    'I’d split src/hash.ts by algorithm',
    'We can do with one cache: src/hash.ts knows all keys',
    'A cleaner fix would be to hash in src/hash.ts',
    'Moving the salt to src/hash.ts makes sense, too',
    'I suggest src/hash.ts as its home',
    'Before the release it would be prudent to run src/hash.ts',
    // What is only looked at.
    'Need to verify that nothing else broke in src/hash.ts',
    'Before any release I’ll check src/hash.ts',
    'We should open src/hash.ts at that line',
    'Let me propose a home for it in src/hash.ts',
    'Investigate why src/hash.ts is empty',
    // Questions, and what is taken back, thought or quoted.
    'Should src/hash.ts stay where it is?',
    'asked “Shall src/hash.ts go?”',
    'Wait, that would undo what src/hash.ts has',
    'Actually, no: this is not in src/hash.ts',
    'Maybe src/hash.ts holds the salt',
    'I think src/hash.ts holds the salt',
    '"and are you sure that src/hash.ts is the one that is used by all?"',
  ])('nothing that holds: %s', (text) => {
    expect(moodOf(text, false)).toBe('thought');
  });

  test.each([
    // Rules and conventions are no plans.
    'The key in src/hash.ts must never be null',
    'The parser in src/parse.ts should stay pure',
    'src/hash.ts must never be changed by hand',
    'CHANGES.md should be updated with each release',
    'Update docs/flags.md whenever you add a flag',
    'Use src/log.ts for all that is printed',
    'If src/hash.ts is missing, create it',
    'If the lock of src/pool.ts is held, a job has to be moved to the queue',
    'We must not change src/hash.ts',
    // What a program will do, or would if it were other than it is.
    'The worker in src/worker.ts will retry three times',
    'Rows that are older will be deleted by src/sweep.ts',
    'Without the lock in src/pool.ts two workers would claim one row',
    // What is so, whatever else is said.
    'No salt is used in src/hash.ts',
    'Wait, the salt is made in src/salt.ts',
    'I can’t reach src/hash.ts from here',
    'I can see two salts in src/hash.ts',
    'src/hash.ts is missing, which is why I’d have stopped',
    'The lock is held in src/pool.ts, so I’ll check who has it',
    'The worker needs a lock of src/pool.ts',
    'Call sites of src/hash.ts pass a salt',
    'Can be called by src/hash.ts',
  ])('a fact: %s', (text) => {
    expect(moodOf(text, false)).toBe('fact');
  });
});

test.each([
  ['plan', 'Remove the loop'],
  ['plan', 'needs updating for the new salt'],
  ['plan', 'use argon2id in place of bcrypt'],
  ['thought', 'could be split by algorithm'],
  ['plan', 'set the length of a salt'],
  ['plan', 'write a path to the log'],
  ['plan', 'support salts of other lengths'],
  ['plan', 'update the handler of keys'],
  ['fact', 'needs a salt of 16 bytes'],
  // Names of things that begin like an order.
  ['fact', 'set of all salts that are in use'],
  ['fact', 'Set at build time, never read later'],
  ['fact', 'support for keys of other lengths'],
  ['fact', 'write path of the store: appends, then syncs'],
  ['fact', 'update handler, returns 404 for strangers'],
  ['fact', 'call graph of a module'],
  ['fact', 'removes the loop'],
  ['fact', 'no-op where there is no salt'],
  ['fact', 'must be kept in step with salt.ts'],
])('behind the name of a file: %s, %s', (mood, text) => {
  expect(moodOf(text, true)).toBe(mood);
});
