import { useEffect, useRef, useState } from 'preact/hooks';
import { computed } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { Player } from '../player.tsx';
import { copyLink } from './address.ts';
import { canChoose, chooses } from './beside/chooser.tsx';
import { closeLast } from './entries/look.ts';
import { showsKeys } from './keys.tsx';
import { plotLeft, plotWidth } from './axis/room.ts';
import { astray, beside, focus, focused, own, playhead, playheadPlaces } from './lane/lanes.ts';
import { shortNameOf } from './lane/within.tsx';
import { indexAt } from './model/axis/places.ts';
import { namedMoments, stepAt, whyNoStep } from './model/moment.ts';
import { saidText } from './model/time.ts';

/** Where the playhead finds what went, by what it was. */
const losses = computed(() => {
  const { count, history, placeOf } = focused.value;
  const all = count.value === 0 ? [] : history.losses;
  const placesOf = (kind: 'frame' | 'compression' | 'cut'): readonly number[] =>
    all.filter((one) => kind in one).map(({ at }) => placeOf(at));
  return { frame: placesOf('frame'), compression: placesOf('compression'), cut: placesOf('cut') };
});

/** The playhead of the session. */
export function SessionPlayer(): ComponentChild {
  const moment = momentText();
  return (
    <Player
      playhead={playhead}
      step={(by) => playhead.goTo(playhead.cursor.value + by)}
      ends={ends}
      marks={losses.value}
      keys={keys}
      moment={moment}
      axis={{
        places: playheadPlaces.value,
        left: plotLeft.value,
        width: plotWidth.value,
        placeAt: (at) => indexAt(playheadPlaces.value, at),
      }}
    >
      <FocusChoice />
      <GoTo />
      <CopyLink />
      <button
        type="button"
        title="Keys (?)"
        aria-label="Keys"
        onClick={() => (showsKeys.value = true)}
      >
        ?
      </button>
      <output class="moment">
        {moment.split(/(?= · )/).map((part) => (
          <span key={part}>{part}</span>
        ))}
      </output>
    </Player>
  );
}

/** Where the playhead is, in words. */
function momentText(): string {
  const { step, history, count, head } = focused.value;
  if (step.value === null) return '';
  const { turn, seq, at } = step.value;
  return `turn ${turn} · step ${seq} of ${history.steps[count.value - 1]!.seq} · ${saidText(at, head.value)}`;
}

const ends = [
  {
    title: 'To the loss before: a compression, the end of a frame',
    key: '[',
    act: () => toLoss(-1),
  },
  { title: 'To the next loss', key: ']', act: () => toLoss(1) },
] as const;

const keys = {
  Escape: () => {
    const open = [showsKeys, chooses].find(({ value }) => value);
    if (open === undefined) closeLast();
    else open.value = false;
  },
  '?': () => (showsKeys.value = !showsKeys.value),
  '/': () => document.querySelector<HTMLInputElement>('.search input[name=words]')?.focus(),
  b: () => (chooses.value = canChoose),
  o: () => (focus.value = focus.value === 'own' ? 'beside' : 'own'),
};

/** Which of both sessions, or windows, the keys, the events and the panels are about. */
function FocusChoice(): ComponentChild {
  const other = beside.value;
  if (other === null) return null;
  return (
    <div class="choice focus" role="group" aria-label="In focus">
      {([own, other] as const).map((lane) => (
        <button
          key={lane.name}
          type="button"
          aria-pressed={focused.value === lane}
          title={`What went, events, machines, keys: of ${lane.head.value?.title ?? ''} (o)`}
          onClick={() => (focus.value = lane === own ? 'own' : 'beside')}
        >
          {shortNameOf(lane)}
        </button>
      ))}
    </div>
  );
}

/** A field for a moment in words; it offers what people named. */
function GoTo(): ComponentChild {
  const { history, goTo, count } = focused.value;
  const form = useRef<HTMLFormElement>(null);
  const went = useRef(-1);
  useEffect(() => {
    // What was typed tells where the playhead is as long as it stays there.
    if (playhead.cursor.value !== went.current) form.current?.reset();
  }, [playhead.cursor.value]);
  return (
    <form
      ref={form}
      class="go-to"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem('moment') as HTMLInputElement;
        const moment = field.value.trim();
        const at = stepAt(history, moment);
        if (at === null) field.setCustomValidity(whyNoStep(history, moment));
        else {
          astray.value = '';
          goTo(at);
          went.current = playhead.cursor.value;
          field.blur();
        }
        field.reportValidity();
      }}
    >
      <label>
        <span>go to</span>{' '}
        <input
          name="moment"
          placeholder="turn, time"
          title={momentHelp}
          autocomplete="off"
          onInput={(event) => event.currentTarget.setCustomValidity('')}
          list="named-moments"
        />
      </label>
      <datalist id="named-moments">
        {count.value > 0 &&
          namedMoments(history).map(({ moment, name }) => (
            <option key={moment} value={moment} label={name} />
          ))}
      </datalist>
    </form>
  );
}

const momentHelp =
  '40 (before the last answer of turn 40), 40.2 (before its second), e52 (after that entry), s3 (that snapshot), seq:120 (after that step), 2026-03-02T09:17 (what was said by then, in UTC), as in flamestack show --at';

/** Copies a link to the moment. */
function CopyLink(): ComponentChild {
  const [said, say] = useState('copy link');
  useEffect(() => say('copy link'), [playhead.cursor.value]);
  return (
    <button
      type="button"
      class="copy"
      title="Copy the link to this moment. Whoever has it sees the session."
      onClick={() => void copyLink().then((isDone) => say(isDone ? 'copied' : 'not copied'))}
    >
      {said}
    </button>
  );
}

/** Goes to the loss before or behind the playhead; with none there, to the end of the session. */
function toLoss(by: 1 | -1): void {
  const { history, cursor, count, goTo } = focused.value;
  const { losses } = history;
  const next =
    by > 0
      ? losses.find(({ at }) => at > cursor.value)
      : losses.findLast(({ at }) => at < cursor.value);
  goTo(next?.at ?? (by > 0 ? count.value - 1 : 0));
}
