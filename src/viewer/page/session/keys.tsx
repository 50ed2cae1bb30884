import { signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { canChoose } from './beside/chooser.tsx';
import { Drawer } from './entries/drawer.tsx';

/** Whether the list of keys is open. */
export const showsKeys = signal(false);

const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['←', '→'], 'one step back, one step on'],
  [['Page up', 'Page down'], '50 steps back, 50 on'],
  [['Home', 'End'], 'the beginning, the end: at the end the page follows what comes'],
  [['[', ']'], 'the compression, end of a frame or cut before, the next one'],
  [['Space'], 'play, pause'],
  [['/'], 'search'],
  ...(canChoose ? [[['b'], 'put another session beside this one'] as const] : []),
  [['o'], 'of two sessions or windows: put the other one in focus'],
  [
    ['Tab'],
    'go through the page, from its beginning to the playhead at once; the marks of the chart, and the frames, are one stop each',
  ],
  [['←', '→', 'Enter'], 'at the marks or the frames: from one to the next, and open it'],
  [['Enter'], 'in the list of events: show the entry'],
  [['Esc'], 'close what is open at the right; leave a field'],
  [['?'], 'this list'],
];

/** The keys of the page. */
export function Keys(): ComponentChild {
  if (!showsKeys.value) return null;
  return (
    <Drawer title="Keys" kind="keys" close={() => (showsKeys.value = false)}>
      <dl class="scroll">
        {keys.map(([names, does]) => (
          <div key={does}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Drawer>
  );
}
