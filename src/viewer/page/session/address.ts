import { effect } from '@preact/signals';
import { linkTo } from '../lines.ts';
import { stepAt, whyNoStep } from './told/moment.ts';
import { astray, connection, cursor, goTo, history, playhead, step } from './store.ts';

// The moment stands behind `#` of the address, so that a reload, and whoever is sent the link, finds it
// again. At the end nothing stands there: it follows.

/** How long the playhead rests before it is written, in milliseconds. */
const rest = 250;

/** Goes where the address says as soon as the steps are there, and from then on says where the playhead is. */
export function keepInAddress(): void {
  let isRead = false;
  const read = (): void => {
    const asked = new URLSearchParams(location.hash.slice(1)).get('at');
    const at = asked === null ? null : stepAt(history, asked);
    if (at !== null) goTo(at);
    astray.value = asked === null || at !== null ? '' : whyNoStep(history, asked);
  };
  addEventListener('hashchange', read);
  effect(() => {
    if (connection.value === 'loading' || isRead) return;
    isRead = true;
    read();
  });
  effect(() => {
    const [at, isEnd] = [cursor.value, playhead.follows.value];
    if (connection.value === 'loading') return undefined;
    const timer = setTimeout(() => {
      const hash = isEnd ? '' : `#at=${momentOf(at)}`;
      if (location.hash !== hash)
        globalThis.history.replaceState(null, '', location.pathname + hash);
    }, rest);
    return () => clearTimeout(timer);
  });
}

const momentOf = (at: number): string => `seq:${history.steps[at]!.seq}`;

/** Copies the link to the step that is looked at; says whether it could. */
export const copyLink = (): Promise<boolean> =>
  navigator.clipboard.writeText(linkTo(`at=seq:${step.value?.seq ?? 1}`)).then(
    () => true,
    () => false,
  );
