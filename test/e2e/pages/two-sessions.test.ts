import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { build } from '../../cli/pty.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { parserText } from './parser-text.ts';
import { showPage } from './show-page.ts';
import { newFolder } from '../../store/folder.ts';

// Two sessions on one page, in a real browser: one axis, one playhead.

describe.skipIf(!hasBrowser)('two sessions on one page', () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    build();
    browser = await openBrowser();
    folder = await newFolder();
    let now = Date.UTC(2026, 2, 3);
    const clock = { now: () => now, setTimeout, clearTimeout };
    await using store = await openStore(join(folder, 'made'), { clock });
    for (const [id, title, turns, minutes] of [
      ['fast', 'Build it with tests first', 12, 1],
      ['slow', 'Build it and test later', 20, 5],
      ['third', 'Write the docs', 2, 1],
    ] as const) {
      const parent = id === 'slow' ? { parent: 'fast' } : {};
      const session = await store.open(id, { window: 2_048, title, ...parent });
      for (let n = 1; n <= turns; n += 1) {
        const content = n === 1 ? 'Build the notes app.' : `Go on with part ${n} of ${id}.`;
        await session.append({ role: 'user', content });
        if (n === 3) await session.push({ title: `Parsers of ${id}` });
        now += minutes * 60_000;
        const port = n + (id === 'fast' ? 4_000 : 5_000);
        await session.append({ role: 'assistant', content: parserText(n, port) });
        if (n === 6) await session.pop({ status: 'completed', results: 'The parsers work.' });
        if (n === 8) await session.snapshots.create('half of it');
      }
      await session.settled();
    }
  }, 60_000);

  afterAll(() => browser.close());

  async function show(words: readonly string[], width = 1_200) {
    const store = await newFolder();
    await cp(join(folder, 'made'), store, { recursive: true });
    return { ...(await showPage(browser, ['fast', ...words, '--store', store], width)), store };
  }

  const prompts = (page: Page) => page.locator('.prompt header .quiet').allTextContents();
  const turns = async (page: Page): Promise<readonly string[]> =>
    (await prompts(page)).map((text) => /^turn \d+/.exec(text)?.[0] ?? text);
  const row = (page: Page, name: string) =>
    page.locator('.compare tr', { hasText: name }).locator('td').allTextContents();

  async function goTo(page: Page, moment: string): Promise<void> {
    await page.getByLabel('go to').fill(moment);
    await page.getByLabel('go to').press('Enter');
    await page.getByLabel('go to').blur();
  }

  test('--beside shows another one on the same axis, each with its budget, frames and prompt', async () => {
    const { page, link } = await show(['--beside', 'test later']);
    expect(new URL(link).hash).toMatch(/&beside=slow$/);
    await expect.poll(() => turns(page)).toEqual(['turn 12', 'turn 20']);
    expect(await page.locator('.plot').count()).toBe(2);
    expect(await page.locator('.side-title').allTextContents()).toEqual([
      'Build it with tests first',
      'Build it and test later',
    ]);
    await expect
      .poll(() => page.locator('.icicle .span').allTextContents())
      .toEqual([
        'Build it with tests first',
        'Parsers of fast',
        'Build it and test later',
        'Parsers of slow',
      ]);
    const [first, second] = await page
      .locator('.plot > svg')
      .evaluateAll((drawn) => drawn.map((one) => one.querySelector('.limit')!.getAttribute('d')));
    // The shorter one ends before the axis does.
    expect(Number(/H([\d.]+)V[\d.]+$/.exec(first)![1])).toBeLessThan(700);
    expect(Number(/H([\d.]+)V[\d.]+$/.exec(second)![1])).toBe(1_000);
    for (const prompt of await page.locator('.prompt').all())
      await expect.poll(() => prompt.locator('.piece').count()).toBeGreaterThan(2);
    await expect
      .poll(() => page.locator('.compare header').textContent())
      .toBe('Side by sideboth in turn 20; A had ended by then');
  });

  test('one playhead moves both: by turns the same turn, by time as long after the beginning, by tokens as much said', async () => {
    const { page } = await show(['--beside', 'slow']);
    await expect.poll(() => turns(page)).toEqual(['turn 12', 'turn 20']);
    await goTo(page, 'e11');
    expect(await turns(page)).toEqual(['turn 6', 'turn 6']);
    await page.getByRole('button', { name: 'time', exact: true }).click();
    // 5 minutes after the beginning the slow one was at its second turn.
    expect(await turns(page)).toEqual(['turn 6', 'turn 2']);
    expect(await page.locator('.compare header').textContent()).toContain(
      'each 5 min after its own beginning',
    );
    await page.getByRole('button', { name: 'tokens', exact: true }).click();
    expect(await turns(page)).toEqual(['turn 6', 'turn 6']);
    expect(await page.locator('.compare header').textContent()).toMatch(
      /each when [\d,]+ tokens had been said in it$/,
    );
    await page.keyboard.press('Home');
    expect(await turns(page)).toEqual(['turn 0', 'turn 0']);
    await page.keyboard.press('End');
    expect(await turns(page)).toEqual(['turn 12', 'turn 20']);
  });

  test('what one prompt has and the other has not is told in numbers, with its entries and names', async () => {
    const { page } = await show(['--beside', 'slow']);
    await expect.poll(() => turns(page)).toEqual(['turn 12', 'turn 20']);
    await goTo(page, 'e2');
    expect(await row(page, 'said by then')).toEqual([
      expect.stringMatching(/^[\d,]+ tokens in 2 entries$/),
      expect.stringMatching(/^[\d,]+ tokens in 2 entries$/),
    ]);
    // Both begin with the same request; the answers differ by a port.
    await expect.poll(() => row(page, 'entries only in its prompt')).toEqual(['1', '1']);
    expect(await page.locator('.compare .both').textContent()).toMatch(
      /^In both prompts: 1 entry, word for word, and [1-9]\d* names/,
    );
    const only = page.locator('.only > div');
    expect(await only.nth(0).textContent()).toContain('4001');
    expect(await only.nth(1).textContent()).toContain('5001');
    await only.nth(1).getByRole('button', { name: '5001' }).click();
    const panel = page.getByRole('dialog');
    await expect.poll(() => panel.locator('pre').first().textContent()).toContain('5001');
    expect(await panel.locator('header').textContent()).toContain('Build it and test later');
  });

  test('what went, the events, the machines and the keys are those of the one in focus', async () => {
    const { page } = await show(['--beside', 'slow']);
    await expect.poll(() => turns(page)).toEqual(['turn 12', 'turn 20']);
    expect(await page.locator('.happenings').textContent()).toContain('part 12 of fast');
    const title = page.locator('h1');
    expect(await title.textContent()).toBe('Build it with tests first');
    await page.keyboard.press('o');
    await expect.poll(() => page.locator('.happenings').textContent()).toContain('of slow');
    expect(await title.textContent()).toBe('Build it and test later');
    expect(await page.locator('.happenings').textContent()).not.toContain('of fast');
    await page.getByRole('button', { name: 'State machines' }).click();
    await expect.poll(() => page.locator('.moves-now').textContent()).toContain('slow');
    await page.keyboard.press('[');
    const at = (await page.locator('.loss header').textContent())!;
    expect(at).toMatch(/^BCompression \d+of/);
    const before = await prompts(page);
    await page.keyboard.press('[');
    expect((await prompts(page))[1]).not.toBe(before[1]);
    const named = page.locator('#named-moments option');
    expect(await named.evaluateAll((all) => all.map((one) => one.getAttribute('label')))).toEqual([
      'snapshot half of it',
    ]);
    await goTo(page, (await named.getAttribute('value'))!);
    expect(await turns(page)).toEqual(['turn 8', 'turn 8']);
    // Whoever works in the other one has that in focus.
    await page.locator('.prompt').first().click();
    await expect.poll(() => page.locator('.happenings').textContent()).toContain('of fast');
  });

  test('the address keeps both, the axis and the moment; a link to what is not there says so', async () => {
    const { page, link } = await show(['--beside', 'slow']);
    await expect.poll(() => turns(page)).toEqual(['turn 12', 'turn 20']);
    await page.getByRole('button', { name: 'time', exact: true }).click();
    await goTo(page, 'e11');
    await page.keyboard.press('o');
    await expect
      .poll(() => page.evaluate('location.hash'))
      .toMatch(/^#at=seq:\d+&axis=time&beside=slow&focus=beside$/);
    // The frame of a moment is told once it was read.
    await expect.poll(async () => (await prompts(page))[0]).toContain(' · ');
    const moment = await prompts(page);
    await page.reload();
    await expect.poll(() => prompts(page)).toEqual(moment);
    await expect
      .poll(() => page.locator('.choice.focus [aria-pressed=true]').textContent())
      .toBe('B');
    await page.getByRole('button', { name: 'close' }).click();
    await expect.poll(() => page.locator('.plot').count()).toBe(1);
    await expect.poll(() => page.evaluate('location.hash')).toMatch(/^#at=seq:\d+&axis=time$/);
    await page.goto(link.replace('beside=slow', 'beside=nobody'));
    await expect
      .poll(() => page.locator('.astray').textContent())
      .toContain('There is no other session "nobody" in this store');
    expect(await page.locator('.plot').count()).toBe(1);
  });

  test('by keyboard another session is found and put beside, and both follow what comes', async () => {
    const { page, store } = await show(['--live']);
    await page.keyboard.press('b');
    await expect
      .poll(() => page.locator('.sessions b').allTextContents())
      .toEqual(['Build it and test later', 'Write the docs']);
    expect(await page.locator('.sessions .quiet').first().textContent()).toMatch(
      /^a sub-agent of this one · 20 turns, [\d,]+ tokens/,
    );
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('.sessions .current b').textContent()).toBe('Write the docs');
    await page.keyboard.type('no such words');
    await expect.poll(() => page.locator('.chooser').textContent()).toContain('No session has');
    await page.getByLabel('Words of a title').fill('DOCS');
    await page.keyboard.press('Enter');
    expect(await page.locator('.chooser').count()).toBe(0);
    await expect.poll(() => turns(page)).toEqual(['turn 12', 'turn 2']);
    await expect
      .poll(() => page.locator('.connection').allTextContents())
      .toEqual(['at the end', 'at the end']);
    for (const id of ['third', 'fast']) {
      await using other = await openStore(store);
      const session = await other.open(id);
      await session.append({ role: 'user', content: `One more thing for ${id}` });
    }
    await expect.poll(() => turns(page)).toEqual(['turn 13', 'turn 3']);
  });

  for (const width of [800, 400])
    test(`at ${width} px they stand one below the other, and nothing is wider`, async () => {
      const { page } = await show(['--beside', 'slow'], width);
      await expect.poll(() => turns(page)).toEqual(['turn 12', 'turn 20']);
      const [one, other] = await page.locator('.prompt').all();
      const [above, below] = [(await one!.boundingBox())!, (await other!.boundingBox())!];
      expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
      await expect.poll(() => page.locator('.only').count()).toBe(1);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(width);
    });
});
