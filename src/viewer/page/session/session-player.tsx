import { useEffect, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { Player } from '../player.tsx';
import { copyLink } from './address.ts';
import { stepAt, whyNoStep } from './told/moment.ts';
import { timeText } from './told/time.ts';
import { astray, count, cursor, goTo, history, looked, playhead, step } from './store.ts';

/** The playhead of the session. */
export function SessionPlayer(): ComponentChild {
  return (
    <Player
      playhead={playhead}
      step={(by) => goTo(cursor.value + by)}
      ends={ends}
      marks={history.losses.map(({ at }) => at)}
      keys={{ Escape: () => (looked.value = null) }}
    >
      <GoTo />
      <output>
        {step.value !== null &&
          `turn ${step.value.turn} · step ${step.value.seq} of ${history.steps.at(-1)!.seq} · ${timeText(step.value.at)}`}
      </output>
      <CopyLink />
    </Player>
  );
}

const ends = [
  {
    title: 'To the loss before: a compression, the end of a frame',
    key: '[',
    act: () => toLoss(-1),
  },
  { title: 'To the next loss', key: ']', act: () => toLoss(1) },
] as const;

/** A field for a moment in words. */
const GoTo = (): ComponentChild => (
  <form
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
      }
      field.reportValidity();
    }}
  >
    <label>
      go to{' '}
      <input
        name="moment"
        placeholder="turn, time"
        title={momentHelp}
        autocomplete="off"
        onInput={(event) => event.currentTarget.setCustomValidity('')}
      />
    </label>
  </form>
);

const momentHelp =
  '40 (before the last answer of turn 40), 40.2 (before its second), e52 (after that entry), seq:120 (after that step), 2026-03-02T09:17 (what was said by then, in UTC), as in flamestack show --at';

/** Copies a link to the moment. */
function CopyLink(): ComponentChild {
  const [said, say] = useState('copy link');
  useEffect(() => say('copy link'), [cursor.value]);
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
  const { losses } = history;
  const next =
    by > 0
      ? losses.find(({ at }) => at > cursor.value)
      : losses.findLast(({ at }) => at < cursor.value);
  goTo(next?.at ?? (by > 0 ? count.value - 1 : 0));
}
