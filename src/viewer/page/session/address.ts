import { effect } from '@preact/signals';
import { linkTo } from '../lines.ts';
import { otherSessions } from './beside/chooser.tsx';
import {
  astray,
  axis,
  beside,
  besideSession,
  focus,
  focused,
  measureBy,
  own,
  playhead,
  putBeside,
  showWindow,
} from './lane/lanes.ts';
import { addressedSession } from './lane/source.ts';
import { stepAt, whyNoStep } from './model/moment.ts';

// What is looked at stands behind `#` of the address, so that a reload, and whoever is sent the link, finds
// it again: the moment, unless it is the end, which is followed; the axis, unless it is turns; the session
// itself, unless it is that of the link, and the one beside it; and which of both is in focus. The moment is one of the session that is farther on there.

/** How long the playhead rests before it is written, in milliseconds. */
const rest = 250;

/** Goes where the address says as soon as the steps are there, and from then on says where the playhead is. */
export function keepInAddress(): void {
  let isRead = false;
  let [last, known] = ['', location.hash];
  const read = async (): Promise<void> => {
    if (isRead && location.hash.slice(1) === last) return;
    const wanted = new URLSearchParams(location.hash.slice(1));
    // Another session is another page.
    if ((wanted.get('session') ?? '') !== addressedSession) return location.reload();
    isRead = false;
    known = location.hash;
    await goTo(wanted);
    isRead = true;
    settleAt(new URLSearchParams(known.slice(1)));
  };
  const write = (place: string): void => {
    // What came into the address meanwhile is read first.
    if (!isRead || location.hash !== known) return;
    last = place;
    if (location.hash.slice(1) !== place)
      history.replaceState(null, '', location.pathname + (place === '' ? '' : `#${place}`));
    known = location.hash;
  };
  addEventListener('hashchange', () => void read());
  let hasBegun = false;
  effect(() => {
    if (own.connection.value === 'loading' || hasBegun) return;
    hasBegun = true;
    void read();
  });
  effect(() => {
    const place = placeOf();
    if (own.connection.value === 'loading' || beside.value?.connection.value === 'loading')
      return undefined;
    const timer = setTimeout(() => write(place), rest);
    return () => clearTimeout(timer);
  });
}

/** Takes the axis and the session beside this one that are wanted. */
async function goTo(wanted: URLSearchParams): Promise<void> {
  astray.value = '';
  const name = axes.find((one) => one === wanted.get('axis')) ?? 'turns';
  if (name !== axis.value) measureBy(name);
  await readBeside(wanted.get('beside') ?? '');
}

/** Puts the playhead where it is wanted, in the session that is meant. */
function settleAt(wanted: URLSearchParams): void {
  const moment = wanted.get('at');
  if (wanted.get('focus') === 'beside' && beside.value !== null) focus.value = 'beside';
  if (moment === null) return;
  const lane = wanted.get('of') === 'beside' ? (beside.value ?? own) : own;
  const at = stepAt(lane.history, moment);
  if (at === null) astray.value = whyNoStep(lane.history, moment);
  else lane.goTo(at);
}

const axes = ['turns', 'time', 'tokens'] as const;

/** Puts a session beside this one, unless it is there; resolves when its steps are there. */
async function readBeside(id: string): Promise<void> {
  const now = besideSession.value?.head.value?.session ?? '';
  if (id === now) return id === '' && beside.value === null ? await showWindow() : undefined;
  const others = id === '' ? [] : await otherSessions().catch(() => null);
  if (others === null) {
    astray.value = `The session "${id.slice(0, 60)}" cannot be asked for: flamestack view did not answer.`;
    return;
  }
  if (id !== '' && !others.some((one) => one.id === id)) {
    astray.value = `There is no other session "${id.slice(0, 60)}" in this store to stand beside this one.`;
    return;
  }
  void putBeside(id);
  await new Promise<void>((resolve) => {
    let stop = (): void => undefined;
    stop = effect(() => {
      if (beside.value?.connection.value === 'loading') return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}

/** What is looked at, as it stands behind `#`. */
function placeOf(): string {
  const [other, session] = [beside.value, besideSession.value];
  const isBeside =
    session !== null &&
    (session.places.value[session.cursor.value] ?? 0) > (own.places.value[own.cursor.value] ?? 0);
  const lane = isBeside ? session : own;
  const at = playhead.follows.value ? null : lane.step.value?.seq;
  return Object.entries({
    session: addressedSession || null,
    at: at == null ? null : `seq:${at}`,
    of: isBeside && at != null ? 'beside' : null,
    axis: axis.value === 'turns' ? null : axis.value,
    beside: session?.head.value?.session ?? null,
    focus: other !== null && focused.value === other ? 'beside' : null,
  })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll('%3A', ':')}`)
    .join('&');
}

/** Copies the link to what is looked at; says whether it could. */
export const copyLink = (): Promise<boolean> => {
  const place = placeOf();
  const at = /(?:^|&)at=/.test(place) ? [] : [`at=seq:${own.step.value?.seq ?? 1}`];
  return navigator.clipboard
    .writeText(linkTo([...at, ...(place === '' ? [] : [place])].join('&')))
    .then(
      () => true,
      () => false,
    );
};
