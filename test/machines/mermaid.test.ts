import { createMachine } from 'xstate';
import { expect, test } from 'vitest';
import {
  compressionMachine,
  frameMachine,
  recoveryMachine,
  sessionMachine,
  toMermaid,
  trackerMachine,
} from '../../machines/index.ts';

test('a drawing says where a machine begins, every arrow once, and where it ends', () => {
  expect(toMermaid(frameMachine)).toBe(`stateDiagram-v2
  [*] --> planned
  completed --> [*]
  failed --> [*]
  invalidated --> [*]
  planned --> in_progress : frame.start
  planned --> invalidated : frame.invalidate
  in_progress --> completed : frame.complete
  in_progress --> failed : frame.fail
  in_progress --> blocked : frame.block
  in_progress --> invalidated : frame.invalidate
  blocked --> in_progress : frame.start
  blocked --> failed : frame.fail
  blocked --> invalidated : frame.invalidate
`);
});

test('ports and guards stand in a drawing by their names', () => {
  const drawn = toMermaid(compressionMachine).split('\n');
  expect(drawn).toContain('  measuring --> summarizing : done(measure) [hasStretch]');
  expect(drawn).toContain('  summarizing --> waiting : error(summarize) [canRetry]');
  expect(drawn).toContain('  waiting --> summarizing : done(pause)');
  expect(drawn).toContain('  waiting --> idle : compression.cancel');
});

test.each([frameMachine, sessionMachine, compressionMachine, recoveryMachine, trackerMachine])(
  'a drawing has each state of $id and no name of XState',
  (machine) => {
    const drawn = toMermaid(machine);
    const named = [...drawn.matchAll(/^ {2}(\w+) -->|--> (\w+)/gm)].flatMap(([, a, b]) => a ?? b);
    expect(new Set(named)).toEqual(new Set(Object.keys(machine.states)));
    expect(drawn).not.toMatch(/xstate/i);
  },
);

test('states within states, regions side by side and unnamed ports can be drawn', () => {
  expect(toMermaid(player)).toBe(`stateDiagram-v2
  state on {
    state "sound" as on_sound
    state on_sound {
      state "loud" as on_sound_loud
      state "soft" as on_sound_soft
      [*] --> on_sound_loud
    }
    --
    state "disc" as on_disc
    state on_disc {
      state "reading" as on_disc_reading
      state "turning" as on_disc_turning
      state "out" as on_disc_out
      [*] --> on_disc_reading
      on_disc_out --> [*]
    }
  }
  state "end" as end_
  [*] --> off
  end_ --> [*]
  off --> off : unplug
  on --> off : unplug
  off --> on : press
  on --> off : done
  on_sound_loud --> on_sound_soft : after 500
  on_sound_soft --> on_sound_loud : always
  on_disc_reading --> on_disc_turning : done(read)
  on_disc_reading --> end_ : error(read)
  on_disc_turning --> on_disc_reading : disc next
  on_disc_turning --> on_disc_out : stop
`);
});

test('only a state by one of Mermaid’s own words gets another name', () => {
  const words = ['note', 'Class', 'notes', 'bend', 'a.b'];
  const states = Object.fromEntries(words.map((word) => [word, {}]));
  expect(toMermaid(createMachine({ id: 'words', initial: 'note', states }))).toBe(`stateDiagram-v2
  state "note" as note_
  state "Class" as Class_
  state "a.b" as a_b
  [*] --> note_
`);
});

test('a guard without a name is drawn as a guard, and an arrow that does something is drawn to its own state', () => {
  const machine = createMachine({
    id: 'guards',
    initial: 'one',
    states: {
      one: {
        on: {
          go: { target: 'two', guard: () => true },
          named: { target: 'two', guard: 'isReady' },
          stay: {},
          note: { actions: 'tell' },
        },
      },
      two: {},
    },
  });
  expect(toMermaid(machine)).toBe(`stateDiagram-v2
  [*] --> one
  one --> two : go [guard]
  one --> two : named [isReady]
  one --> one : note
`);
});

const player = createMachine({
  id: 'player',
  initial: 'off',
  on: { unplug: '.off' },
  states: {
    off: { on: { press: 'on' } },
    on: {
      type: 'parallel',
      states: {
        sound: {
          initial: 'loud',
          states: { loud: { after: { 500: 'soft' } }, soft: { always: 'loud' } },
        },
        disc: {
          initial: 'reading',
          states: {
            reading: { invoke: { src: 'read', onDone: 'turning', onError: '#player.end' } },
            turning: { on: { 'disc: next': 'reading', stop: 'out' } },
            out: { type: 'final' },
          },
        },
      },
      onDone: 'off',
    },
    end: { type: 'final' },
  },
});
