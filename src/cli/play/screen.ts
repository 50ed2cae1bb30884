import type { CommandCall } from '../call/call.ts';
import { liveRegion } from '../paper/live-region.ts';
import { wrap } from '../paper/width.ts';
import type { Lesson } from './news/lesson.ts';
import type { NewsLine } from './news/news-line.ts';
import { lessonLines, newsLines } from './news/news-text.ts';
import type { Pace } from './pace.ts';
import type { PlayStep } from './player.ts';
import { stageLines, type Scene } from './stage.ts';

/** Shortest time between two drawings of the live region, in milliseconds. */
const drawEvery = 66;

const schema = 'flamestack.run/1';

/** Shows a play while it goes on. */
export interface Screen {
  readonly onBeat: (beat: PlayStep) => Promise<void>;
  /** Takes away what is not to stay. */
  readonly end: () => void;
}

/** Options of a screen. */
export interface ScreenOptions {
  readonly call: CommandCall;
  readonly pace: Pace;
  /** What is played, and where, in a sentence or two. */
  readonly head: string;
  readonly tour: boolean;
}

/** A feed of what happens, above a live region where there is a terminal; events where JSON was asked for. */
export function screen(showing: ScreenOptions): Screen {
  const { call } = showing;
  if (call.json) return jsonScreen(call);
  return call.quiet ? quietScreen(showing.pace) : feedScreen(showing);
}

/** Every news line as an event. */
function jsonScreen(call: CommandCall): Screen {
  return {
    async onBeat({ moments, state: { entries } }) {
      const entry = entries === 0 ? null : `e${entries}`;
      for (const { type, data } of moments) call.emit(schema, { type, entry, ...data });
    },
    end: () => undefined,
  };
}

function quietScreen(pace: Pace): Screen {
  return {
    onBeat: ({ isNew }) => (isNew ? pace.step(0) : Promise.resolve()),
    end: () => undefined,
  };
}

function feedScreen(showing: ScreenOptions): Screen {
  const { call, pace } = showing;
  const live = call.paper().isLive ? liveRegion(call.io.stdout) : null;
  const learn = lessonPicker(showing.tour);
  let isBegun = false;
  let drawn = Number.NEGATIVE_INFINITY;

  /** The lines of a step, and how many lessons are among them. */
  function tell(beat: PlayStep): readonly [lines: readonly string[], read: number] {
    const paper = call.paper();
    const { entries } = beat.state;
    const entry = entries === 0 ? '' : `e${entries}`;
    const first = isBegun ? [] : learn(['window']);
    const lines = isBegun ? [] : [...headLines(showing)];
    lines.push(...first.flatMap((lesson) => lessonLines(lesson, paper)));
    let read = first.length;
    for (const moment of beat.moments) {
      const lessons = learn(moment.lessons);
      lines.push(...newsLines(moment, entry, paper));
      lines.push(...lessons.flatMap((lesson) => lessonLines(lesson, paper)));
      read += lessons.length;
    }
    isBegun = true;
    return [lines, read];
  }

  return {
    async onBeat(beat) {
      const [lines, read] = tell(beat);
      if (live === null) {
        call.print(...lines);
      } else {
        const now = performance.now();
        const isDue = lines.length > 0 || beat.isAtRest === true || now - drawn >= drawEvery;
        if (isDue) live.show(lines, stageLines(await sceneOf(beat), call.paper()));
        if (isDue) drawn = now;
      }
      if (beat.isNew) await pace.step(read);
    },
    end: () => live?.clear(),
  };
}

/** Gives back the lessons that are new; none without a tour. */
function lessonPicker(tour: boolean): (lessons: NewsLine['lessons']) => readonly Lesson[] {
  const taught = new Set<Lesson>();
  return (lessons) => {
    const fresh = tour ? lessons.filter((lesson) => !taught.has(lesson)) : [];
    for (const lesson of fresh) taught.add(lesson);
    return fresh;
  };
}

function headLines({ head, call }: ScreenOptions): readonly string[] {
  const { paint, width, longest } = call.paper();
  return [...wrap(head, Math.max(width, longest)).map((line) => paint(line, 'bold')), ''];
}

async function sceneOf(beat: PlayStep): Promise<Scene> {
  const { state, done, hint = [] } = beat;
  const tree = beat.tree();
  return {
    title: tree.title,
    state,
    tree,
    assembly: await beat.assemble(),

    done,
    hint,
  };
}
