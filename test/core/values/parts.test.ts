import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  atOnce,
  growInParts,
  mapInParts,
  newRuns,
  type Part,
} from '../../../src/core/values/parts.ts';

const always = (): boolean => true;

/** What work gives in the end, and the runs that it took. */
function inRuns<T>(isOver: () => boolean, work: (part: Part) => T): { value: T; runs: number } {
  const { run } = newRuns({ begin: () => undefined, isOver });
  for (let runs = 1; ; runs += 1) {
    const done = run(work);
    if (done !== null) return { value: done.value, runs };
  }
}

test('work that is broken off goes on behind the last part that it made', () => {
  const made: string[] = [];
  const make = (name: string) => (): string => {
    made.push(name);
    return name;
  };
  const work = (part: Part): string => part(make('a')) + part(make('b')) + part(make('c'));
  expect(inRuns(always, work)).toEqual({ value: 'abc', runs: 3 });
  expect(made).toEqual(['a', 'b', 'c']);
  expect(inRuns(() => false, work)).toEqual({ value: 'abc', runs: 1 });
});

test('what a part made is the same value in each run, nothing at all, too', () => {
  const seen: unknown[] = [];
  inRuns(always, (part) => {
    seen.push(part(() => ({})));
    seen.push(part(() => undefined));
    part(() => null);
  });
  expect(new Set(seen).size).toBe(2);
});

test('a part with parts within it is broken off there, and gone through no more once it is whole', () => {
  const gone: string[] = [];
  const nested = (part: Part): number => {
    const sum = part(() => {
      gone.push('outer');
      return part(() => 1) + part(() => 2);
    });
    return sum + part(() => 3) + part(() => 4);
  };
  expect(inRuns(always, nested)).toEqual({ value: 10, runs: 4 });
  expect(gone).toEqual(['outer', 'outer']);
});

test('work that fails has failed', () => {
  const refused = new Error('refused');
  const work = (part: Part): never => {
    part(() => 1);
    return part(() => {
      throw refused;
    });
  };
  expect(() => inRuns(always, work)).toThrow(refused);
});

test('a list in parts is the list', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 300 }), fc.func(fc.boolean()), (list, is) => {
      let asked = 0;
      const isOver = (): boolean => is((asked += 1));
      const twice = (part: Part): readonly number[] => mapInParts(list, part, (n) => 2 * n);
      expect(inRuns(isOver, twice).value).toEqual(twice(atOnce));
    }),
  );
});

test('what grows in parts has each member once and in order, wherever it is broken off', () => {
  fc.assert(
    fc.property(
      fc.integer({ max: 300, min: 0 }),
      fc.infiniteStream(fc.boolean()),
      (size, breaks) => {
        const list = Array.from({ length: size }, (_, index) => `m${index}`);
        const isOver = (): boolean => breaks.next().value;
        const { value } = inRuns(isOver, (part) =>
          growInParts(list, part, {
            from: (): string[] => [],
            add: (grown, member, index) => grown.push(`${member} ${index}`),
          }),
        );
        expect(value).toEqual(list.map((member, index) => `${member} ${index}`));
      },
    ),
  );
});

test.each([
  ['at the top', (work: (part: Part) => number) => work],
  ['in a part', (work: (part: Part) => number) => (part: Part) => part(() => work(part))],
])('what a run goes through that was made before is not of its time, %s', (_, placed) => {
  let now = 0;
  let end = 0;
  const { run } = newRuns({ begin: () => (end = now + 10), isOver: () => now >= end });
  const work = placed((part) => {
    let made = 0;
    for (let at = 0; at < 8; at += 1) {
      // Between two parts a little is done each time.
      now += 5;
      part(() => (now += 1));
      made += 1;
    }
    return made;
  });
  let runs = 1;
  for (let done = run(work); done === null; done = run(work)) runs += 1;
  // Two parts a run, however long the way to them has become; in the first one less where they are in a part.
  expect(runs).toBeLessThan(6);
});

test('a list is gone through no more once it is whole, and what makes its members may have parts', () => {
  const list = Array.from({ length: 300 }, (_, index) => index);
  let asked = 0;
  const work = (part: Part): number => {
    asked = 0;
    const counted: Part = (make) => {
      asked += 1;
      return part(make);
    };
    const twice = mapInParts(list, counted, (n) => counted(() => 2 * n));
    const add = (grown: { sum: number }, n: number): void => void (grown.sum += n);
    return growInParts(twice, counted, { from: () => ({ sum: 0 }), add }).sum + counted(() => 1);
  };
  expect(inRuns(always, work).value).toBe(300 * 299 + 1);
  expect(asked).toBe(3);
});
