import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceText, pairingText } from '../../src/viewer/page/session/model/axis/distance.ts';
import {
  joinedTrack,
  lowerBound,
  placeOfBoth,
  placeOn,
} from '../../src/viewer/page/session/model/axis/track.ts';

/** How far the steps of a session stand from its beginning. */
const steps = fc.array(fc.nat(4), { maxLength: 30 }).map((gaps) => {
  let far = 0;
  return Float64Array.from([0, ...gaps.map((gap) => (far += gap))]);
});

test('the playhead comes through every step of both, and stands at the farther one of the two', () => {
  fc.assert(
    fc.property(steps, steps, (own, beside) => {
      const track = joinedTrack(own, beside);
      expect([...new Set(track.own)]).toEqual([...own.keys()]);
      expect([...new Set(track.beside)]).toEqual([...beside.keys()]);
      let last = 0;
      for (const place of track.own.keys()) {
        const [one, other] = [track.own[place]!, track.beside[place]!];
        const far = Math.max(own[one]!, beside[other]!);
        expect(far).toBeGreaterThanOrEqual(last);
        // What stands before that has come, in both.
        if (one + 1 < own.length) expect(own[one + 1]!).toBeGreaterThanOrEqual(far);
        if (other + 1 < beside.length) expect(beside[other + 1]!).toBeGreaterThanOrEqual(far);
        last = far;
      }
    }),
  );
});

test('a step of one leads to where the other was by then, and both steps to where they were', () => {
  fc.assert(
    fc.property(steps, steps, (own, beside) => {
      const track = joinedTrack(own, beside);
      const distances = { own, beside };
      for (const side of ['own', 'beside'] as const) {
        const there = side === 'own' ? 'beside' : 'own';
        for (const at of distances[side].keys()) {
          const place = placeOn(track, distances, { side, at });
          expect(track[side][place]).toBe(at);
          expect(distances[there][track[there][place]!]).toBeLessThanOrEqual(distances[side][at]!);
          const next = distances[there][track[there][place]! + 1] ?? Infinity;
          expect(next).toBeGreaterThanOrEqual(distances[side][at]!);
        }
      }
      for (const place of track.own.keys())
        expect(
          placeOfBoth(track, distances, { own: track.own[place]!, beside: track.beside[place]! }),
        ).toBe(place);
    }),
  );
});

test('two that were at a place stay at it when one of them goes on', () => {
  const [own, beside] = [Float64Array.of(0, 1, 2, 3), Float64Array.of(0, 2)];
  const longer = Float64Array.of(0, 2, 2.5, 9);
  const track = joinedTrack(own, longer);
  const place = placeOfBoth(track, { own, beside: longer }, { own: 2, beside: 1 });
  expect([track.own[place], track.beside[place]]).toEqual([2, 1]);
  expect(joinedTrack(own, beside).own).toHaveLength(4);
  // Of two that are not together any more the farther one stays.
  const other = placeOfBoth(track, { own, beside: longer }, { own: 0, beside: 3 });
  expect([track.own[other], track.beside[other]]).toEqual([3, 3]);
  expect(lowerBound(Int32Array.of(0, 0, 4, 4, 7), 4)).toBe(2);
});

test('a distance is told in words, and what two sessions have in common there', () => {
  expect(distanceText('turns', 12.75, 1)).toBe('turn 13');
  expect(distanceText('turns', 0, 0)).toBe('turn 0');
  expect(distanceText('tokens', 12_345, 1)).toBe('12,345 tokens');
  const stretches = [0, 59_999, 65_000, 3_600_000, 8_000_000, 200_000_000];
  expect(stretches.map((ms) => distanceText('time', ms, 1))).toEqual([
    '0 s',
    '59 s',
    '1 min 5 s',
    '1 h',
    '2 h 13 min',
    '2 d 7 h',
  ]);
  expect(pairingText('turns', 3, 1)).toBe('both in turn 4');
  expect(pairingText('time', 65_000, 1)).toBe('each 1 min 5 s after its own beginning');
  expect(pairingText('tokens', 900, 1)).toBe('each when 900 tokens had been said in it');
});
