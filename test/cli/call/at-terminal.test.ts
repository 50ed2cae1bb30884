import { beforeAll, expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { demoStore, folder } from '../call.ts';
import { build, hasPty, terminal } from '../pty.ts';

beforeAll(() => {
  if (hasPty) build();
}, 60_000);

test.runIf(hasPty)(
  'at a terminal Ctrl-C ends a replay with 130 and the cursor is back',
  async () => {
    const played = terminal(['replay', 'demo', '--speed', '4', '--store', await demoStore()]);
    await played.until('step 2 of');
    played.press(' ');
    await played.until('paused at step');
    played.press('\x1b[C');
    await played.until('paused at step');
    played.press('\x03');
    expect(await played.ended).toBe(130);
    expect(played.text).toContain('so far');
  },
  30_000,
);

test.runIf(hasPty)(
  'at a terminal Ctrl-C stays in the pager, q leaves it, and the exit code is that of the command',
  async () => {
    const shown = terminal(['log', '--store', await demoStore()]);
    await shown.until('e20 ');
    shown.press('\x03');
    // It may have forgotten with Ctrl-C what was typed behind it.
    const again = setInterval(() => shown.press('G'), 200);
    await shown.until('e67 ').finally(() => clearInterval(again));
    shown.press('q');
    expect(await shown.ended).toBe(0);
  },
  30_000,
);

test.runIf(hasPty)(
  'at a terminal open asks which of several is meant, and browses it',
  async () => {
    const store = await folder();
    {
      await using made = await openStore(store);
      for (const title of ['Login form', 'Login page', 'Rate limits'])
        await (
          await made.open(title.replace(' ', '-'), { window: 2_000, title })
        ).append({
          role: 'user',
          content: `On ${title}.`,
        });
    }
    const screen = terminal(['open', 'login', '--store', store]);
    await screen.until('Type 1 or 2, or press Enter for none:');
    screen.press('2\r');
    await screen.until('turn 1 of 1');
    screen.press('q');
    await screen.until('Sessions of');
    screen.press('q');
    expect(await screen.ended).toBe(0);
  },
);
