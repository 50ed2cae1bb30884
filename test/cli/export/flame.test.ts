import fc from 'fast-check';
import { expect, test } from 'vitest';
import { speedscopeFile } from '../../../src/cli/export/forms/speedscope.ts';
import { byTokens, hasTimes } from '../../../src/cli/export/session-record.ts';
import { traceFile } from '../../../src/cli/export/forms/trace.ts';
import { demoStore, flamestack } from '../call.ts';
import { toldOf, toldSessions } from './record.ts';

test('an entry lies in its frame and a frame in the one above, by time and by tokens', () => {
  fc.assert(
    fc.property(toldSessions, (timed) => {
      for (const { entries, frames } of [timed, byTokens(timed)]) {
        const known = new Map(frames.map((frame) => [frame.id, frame]));
        for (const { from, to, parent } of frames) {
          expect(from).toBeLessThanOrEqual(to);
          if (parent === null) continue;
          expect(from).toBeGreaterThanOrEqual(known.get(parent)!.from);
          expect(to).toBeLessThanOrEqual(known.get(parent)!.to);
        }
        for (const { entry, from, to } of entries) {
          expect(from).toBeLessThanOrEqual(to);
          expect(from).toBeGreaterThanOrEqual(known.get(entry.frame)!.from);
          expect(to).toBeLessThanOrEqual(known.get(entry.frame)!.to);
        }
      }
    }),
  );
});

test('a profile of speedscope opens and closes in order, never goes back, and is as wide as what was said', () => {
  fc.assert(
    fc.property(toldSessions, (told) => {
      const { $schema, shared, profiles } = speedscopeFile(told);
      expect($schema).toBe('https://www.speedscope.app/file-format-schema.json');
      for (const { type, unit, name, startValue } of profiles) {
        expect([type, startValue, typeof name]).toEqual(['evented', 0, 'string']);
        expect(['none', 'milliseconds']).toContain(unit);
      }
      const [tokens, time] = profiles;
      expect(tokens!.endValue).toBe(told.entries.reduce((sum, { entry }) => sum + entry.tokens, 0));
      expect(time?.endValue ?? 0).toBe(
        told.entries.reduce((sum, { from, to }) => sum + to - from, 0),
      );
      for (const { events, endValue } of profiles) {
        const open: number[] = [];
        let last = 0;
        for (const { type, at, frame } of events) {
          expect(at).toBeGreaterThanOrEqual(last);
          last = at;
          expect(shared.frames[frame]).toBeDefined();
          if (type === 'O') open.push(frame);
          else expect(open.pop()).toBe(frame);
        }
        expect(open).toEqual([]);
        expect(last).toBe(endValue);
      }
    }),
  );
});

test('on each track of a trace a stretch lies in the one around it, and times never go back', () => {
  fc.assert(
    fc.property(toldSessions, (told) => {
      const { traceEvents } = traceFile(told);
      const ends = new Map<number, number[]>();
      let last = 0;
      for (const { name, ph, pid, ts, tid, s, dur = 0 } of traceEvents) {
        expect([typeof name, pid]).toEqual(['string', 1]);
        expect(Number.isSafeInteger(tid) && Number.isFinite(ts)).toBe(true);
        if (ph === 'i') expect(['p', 't']).toContain(s);
        expect(ts).toBeGreaterThanOrEqual(last);
        last = ts;
        if (ph !== 'X') continue;
        expect(dur).toBeGreaterThan(0);
        const open = ends.get(tid) ?? [];
        ends.set(tid, open);
        while (open.length > 0 && open.at(-1)! <= ts) open.pop();
        if (open.length > 0) expect(ts + dur).toBeLessThanOrEqual(open.at(-1)!);
        open.push(ts + dur);
      }
      const said = traceEvents.filter(({ args }) => args['entry'] !== undefined);
      expect(said).toHaveLength(told.entries.length);
      const unit = hasTimes(told) ? 1_000 : 1;
      const whole = traceEvents.find(({ args }) => args['frame'] === 'f0')!;
      const { frames } = hasTimes(told) ? told : byTokens(told);
      expect(whole.dur ?? 0).toBe((frames[0]!.to - frames[0]!.from) * unit);
    }),
  );
});

const say = (role: 'user' | 'assistant' | 'tool', after: number, tokens = 10) =>
  ({ act: 'say', role, after, tokens }) as const;

const [push, pop] = [{ act: 'push' }, { act: 'pop' }] as const;

test('what ran at once stands on tracks of its own, and counts for as long as it took', () => {
  const told = toldOf([
    say('user', 0),
    push,
    say('user', 100),
    say('assistant', 400),
    pop,
    push,
    say('user', -400),
    say('assistant', 700),
    pop,
    say('assistant', 100),
  ]);
  const { traceEvents } = traceFile(told);
  const frames = traceEvents.filter(({ cat }) => cat === 'frame');
  expect(
    frames.map(({ name, tid, ts, dur }) => [name, tid, (ts - 1) / 1_000, dur! / 1_000]),
  ).toEqual([
    ['Frame f0', 1, 0, 900],
    ['Frame f1', 1, 0, 500],
    ['Frame f2', 3, 100, 700],
  ]);
  expect(speedscopeFile(told).profiles.map(({ name, endValue }) => [name, endValue])).toEqual([
    ['tokens said', 60],
    ['time', 500 + 700 + 100],
  ]);
});

test('a session of one time is told by tokens, and says so', () => {
  const told = toldOf([say('user', 0, 7), say('assistant', 0, 30), { act: 'compress' }]);
  expect(speedscopeFile(told).profiles.map(({ name }) => name)).toEqual(['tokens said']);
  const { otherData, traceEvents } = traceFile(told);
  expect(otherData['microsecond']).toBe('a token');
  const stretches = traceEvents.filter(({ ph }) => ph === 'X').map(({ name, dur }) => [name, dur]);
  expect(stretches).toEqual([
    ['Frame f0', 37],
    ['person', 7],
    ['assistant', 30],
  ]);
  expect(traceEvents.find(({ ph }) => ph === 'i')).toMatchObject({
    name: 'compression 1',
    ts: 38,
    args: { before: 900, after: 300 },
  });
});

test('both tell a stored session with its own figures', async () => {
  const store = await demoStore();
  const { out: lines } = await flamestack(`export --store ${store}`);
  const { tokens, compressions } = JSON.parse(lines.split('\n')[0]!) as Record<string, number>;
  const { out, err } = await flamestack(`export --as speedscope --store ${store}`);
  const { name, shared, profiles } = JSON.parse(out) as ReturnType<typeof speedscopeFile>;
  expect(err).toContain('No key-like string');
  expect([name, profiles[0]!.endValue]).toEqual(['Tidy the parts', tokens]);
  const names = shared.frames.map((frame) => frame.name);
  expect(names).toEqual(
    expect.arrayContaining(['Tidy the parts', 'Deep parts', 'Dead end', 'person', 'read']),
  );
  const trace = await flamestack(`export --as trace --store ${store}`);
  const { traceEvents } = JSON.parse(trace.out) as ReturnType<typeof traceFile>;
  expect(traceEvents.filter(({ cat }) => cat === 'compression')).toHaveLength(compressions!);
  const held = traceEvents.filter(({ name: what }) => what === 'prompt tokens').at(-1)!;
  const shown = await flamestack(`show --json --store ${store}`);
  const { budget } = (JSON.parse(shown.out) as { state: { budget: Record<string, number> } }).state;
  for (const [part, size] of Object.entries(held.args)) expect(size).toBe(budget[part]);
});
