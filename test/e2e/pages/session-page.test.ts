import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../../src/index.ts';
import { startOllamaServer } from '../../../src/testing/index.ts';
import { build, program } from '../../cli/pty.ts';
import type { Prompt, Step } from '../../../src/viewer/page/session/model/wire.ts';
import { startViewer } from '../../../src/viewer/server.ts';
import { gate } from '../../gate.ts';
import { bundledPage, hasBrowser, openBrowser } from './browser.ts';
import { parserText } from './parser-text.ts';
import { showPage } from './show-page.ts';
import { newFolder } from '../../store/folder.ts';

// The page of a session in a real browser, served as a person has it served.

/** A session whose server has half of the window that it was told, cuts in silence, and is found out. */
async function cutSession(store: Store): Promise<void> {
  const model = 'llama3.2:3b';
  const given = { contextLength: 4_096, count: (text: string) => Math.ceil(text.length / 4) };
  await using server = await startOllamaServer({ version: '0.12.3', models: { [model]: given } });
  const session = await store.open('cut', { window: 8_192, model, recovery: 'confirm' });
  for (let n = 0; n < 24; n += 1) {
    await session.append({ role: 'user', content: `${parserText(n)} ${parserText(n + 24)}` });
    const { id: assembly, messages } = await session.assemble();
    const asked = messages.map(({ role, content }) => ({ role, content }));
    const body = { model, stream: false, options: { num_ctx: 4_096 }, messages: asked };
    const answer = await fetch(`${server.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const { prompt_eval_count: inputTokens } = (await answer.json()) as {
      prompt_eval_count: number;
    };
    const usage = { inputTokens, cachedInputTokens: Math.floor(inputTokens / 2) };
    if (n === 20) {
      await session.report({ assembly, usage, window: 4_096 });
      await session.recovery.confirm(true);
    }
    await session.append({ role: 'assistant', content: 'Done.' }, { assembly, usage });
  }
  await session.settled();
}

describe.skipIf(!hasBrowser)('the page of a session', () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    build();
    browser = await openBrowser();
    folder = await newFolder();
    await using store = await openStore(join(folder, 'made'));
    const session = await store.open('notes', { window: 2_048, title: 'Build the notes app' });
    await session.append({ role: 'user', content: 'Build the notes app on port 4310' });
    await session.frames.plan({ title: 'Ship it' });
    await session.push({ title: 'User accounts' });
    for (let n = 0; n < 24; n += 1)
      await session.append({ role: n % 6 === 0 ? 'user' : 'assistant', content: parserText(n) });
    await session.pop({ status: 'completed', results: 'Accounts work, by src/accounts.ts.' });
    for (let n = 0; n < 24; n += 1)
      await session.append({
        role: n % 6 === 0 ? 'user' : 'assistant',
        content: parserText(24 + n),
      });
    await session.settled();
    await cutSession(store);
  }, 60_000);

  afterAll(() => browser.close());

  /** The page of the session, over a store of its own. */
  async function show(options: readonly string[] = [], width = 1_400, name = 'notes') {
    const store = await newFolder();
    await cp(join(folder, 'made'), store, { recursive: true });
    const { page } = await showPage(browser, [name, ...options, '--store', store], width);
    return { page, store };
  }

  /** The moment, without the frames that follow once its prompt is there. */
  const seen = async (page: Page) =>
    (await page.locator('.prompt header .quiet').textContent())?.split(' · ')[0];
  const size = (page: Page) => page.locator('.gauge output').textContent();

  async function goTo(page: Page, moment: string): Promise<void> {
    await page.getByLabel('go to').fill(moment);
    await page.getByLabel('go to').press('Enter');
  }

  test('draws the budget, the frames and the compressions, and tells what the model sees', async () => {
    const { page } = await show();
    expect(await page.locator('h1').textContent()).toBe('Build the notes app');
    for (const part of ['human', 'working', 'checkpoints'])
      expect(await page.locator(`.part.${part}`).getAttribute('d')).toMatch(/^M[\d.]+,[\d.]+L/);
    expect(await page.locator('.mark.compression').count()).toBeGreaterThan(1);
    expect(await page.locator('.level').allTextContents()).toEqual(['0', '500', '1,000', '1,500']);
    expect(await page.locator('.icicle .span').allTextContents()).toEqual([
      'Build the notes app',
      'User accounts',
      'Ship it',
    ]);
    const [root, , planned] = await Promise.all(
      (await page.locator('.icicle .span').all()).map((span) => span.boundingBox()),
    );
    expect(planned!.x).toBeGreaterThanOrEqual(root!.x + root!.width);
    expect(planned!.y).toBeGreaterThan(root!.y);
    await expect.poll(() => page.locator('.prompt .piece').count()).toBeGreaterThan(2);
    expect(await page.locator('.prompt .missing').textContent()).toContain(
      'Not here word for word',
    );
    await expect.poll(() => page.locator('.loss .diff li').count()).toBeGreaterThan(0);
  });

  test('one playhead moves all of it, by keys, by the slider and by a click', async () => {
    const { page } = await show();
    const [end, full] = [await seen(page), await size(page)];
    await page.keyboard.press('Home');
    expect(await seen(page)).toBe('turn 0, step 1');
    expect(await size(page)).not.toBe(full);
    expect(await page.locator('.loss h2').textContent()).toBe('What went');
    await page.keyboard.press(']');
    expect(await page.locator('.loss h2').textContent()).toBe('Compression 1');
    const first = await size(page);
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.loss h2').textContent()).toBe('What went');
    expect(await size(page)).not.toBe(first);
    await page.getByRole('button', { name: 'Compression 2' }).click();
    expect(await page.locator('.mark.now').textContent()).toBe('2');
    await page.getByRole('slider').press('End');
    expect(await seen(page)).toContain(end!);
    await goTo(page, '3');
    expect(await seen(page)).toMatch(/^turn 3,/);
    await goTo(page, 'e2');
    expect(await seen(page)).toMatch(/^turn 2, step 5/);
    await goTo(page, '99');
    expect(await page.locator('.go-to input:invalid').count()).toBe(1);
    const time = /[\d-]+ [\d:]+ UTC$/.exec((await page.locator('.player output').textContent())!)!;
    await goTo(page, `${time[0].slice(0, 4)}-01-01`);
    expect(await page.locator('.go-to input:invalid').count()).toBe(1);
    await goTo(page, `${Number(time[0].slice(0, 4)) + 1}-02-01`);
    expect(await page.locator('.go-to input:invalid').count()).toBe(0);
    const { x, y, width, height } = (await page.locator('.plot').boundingBox())!;
    const readout = page.locator('.readout');
    expect(await readout.count()).toBe(0);
    const stays = await seen(page);
    await page.mouse.move(x + width * 0.99, y + height / 2);
    expect(await readout.textContent()).toMatch(
      /^turn \d+ · step \d\d · [\d,]+ tokens(Compression \d+)?$/,
    );
    await page.mouse.move(x + width / 2, y - 80);
    expect([await readout.count(), await seen(page)]).toEqual([0, stays]);
    await page.mouse.click(x + width * 0.01, y + height / 2);
    expect(await seen(page)).toMatch(/^turn [01],/);
  });

  test('while it plays the prompt goes along, in a file, too, and so does what a screen reader hears', async () => {
    const { page, store } = await show();
    const file = join(store, 'notes.html');
    const words = ['export', 'notes', '--as', 'html', '--store', store, '-o', file];
    expect(spawnSync(process.execPath, [program, ...words]).status).toBe(0);
    const kept = await browser.newPage();
    onTestFinished(() => kept.close());
    await kept.goto(pathToFileURL(file).href);
    const plays = (one: Page) => one.getByRole('button', { name: 'pause' }).count();
    // Of a prompt that is late the header tells the step, too.
    const shown = async (one: Page) =>
      Number(/\d+(?=\D*$)/.exec((await one.locator('.prompt header').textContent())!));
    for (const one of [page, kept]) {
      await expect.poll(() => seen(one)).toMatch(/step \d/);
      await one.keyboard.press('Home');
      await expect.poll(() => shown(one)).toBe(1);
      await one.keyboard.press(' ');
      await expect.poll(() => shown(one)).toBeGreaterThan(9);
      expect(await plays(one)).toBe(1);
    }
    const said = page.locator('[aria-live=polite]');
    await expect.poll(() => said.textContent()).toMatch(/step \d\d? of/);
    expect(await plays(page)).toBe(1);
  });

  test('what a compression took away is named, and leads to where it was said', async () => {
    const { page } = await show();
    const lost = page.locator('.lost .name').first();
    await expect.poll(() => lost.count()).toBe(1);
    const name = (await lost.textContent())!;
    await lost.click();
    const panel = page.getByRole('dialog');
    await expect.poll(() => panel.locator('pre').first().textContent()).toContain(name);
    await panel.getByRole('button', { name: 'go there' }).first().click();
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
    await page.locator('.loss .diff .came .ref').first().click();
    await expect.poll(() => panel.locator('article').count()).toBeGreaterThan(0);
  });

  test('so is what the end of a frame took out of sight', async () => {
    const { page } = await show();
    await page.getByRole('button', { name: 'Frame completed: User accounts' }).click();
    expect(await page.locator('.loss h2').textContent()).toBe('Frame completed: User accounts');
    const [, before, , , after] = await page.locator('.bars dd').allTextContents();
    const tokens = [before!, after!].map((text) => parseInt(text.replace(',', '')));
    expect(tokens[0]).toBeGreaterThan(tokens[1]!);
    const [longer, shorter] = await Promise.all(
      (await page.locator('.bar > i').all()).map((bar) => bar.boundingBox()),
    );
    expect(shorter!.width / longer!.width).toBeCloseTo(tokens[1]! / tokens[0]!, 1);
    const outcome = page.locator('.loss .came', { hasText: 'User accounts completed' });
    await expect.poll(() => outcome.textContent()).toContain('results: Accounts work');
    expect(await page.locator('.loss').textContent()).not.toMatch(/<\/?(?:child|title|results)/);
    await outcome.getByRole('button', { name: 'Accounts work, by src/accounts.ts.' }).click();
    const drawer = page.getByRole('dialog', { name: 'Where this comes from' });
    expect(await drawer.locator('.about').textContent()).toContain('“Accounts work, by src/ac');
    await expect.poll(() => drawer.locator('article').count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await page.locator('.loss .gone summary').first().click();
    await expect
      .poll(() => page.locator('.loss .gone pre').first().textContent())
      .toContain('The reader of src/parse-');
    await page.getByText('Names in all of the prompt, before and after:').click();
    await page.getByText('Names that all of the prompt lost').click();
    const name = (await page.locator('.lost .name:visible').first().textContent())!;
    await page.locator('.lost .name:visible').first().click();
    const found = page.getByRole('dialog').locator('pre').first();
    await expect.poll(() => found.textContent()).toContain(name);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'names that this prompt has nowhere' }).click();
    const lacking = page.getByRole('dialog', { name: 'Names that the prompt lacks' });
    await expect.poll(() => lacking.locator('.name').count()).toBeGreaterThan(3);
    await lacking.getByLabel('Part of a name').fill('parse-2');
    await expect.poll(() => lacking.locator('.name').allTextContents()).toContain('src/parse-2.ts');
    for (const told of await lacking.locator('.name').allTextContents())
      expect(told).toContain('parse-2');
    await lacking.locator('.name').first().click();
    await expect
      .poll(() => page.getByRole('dialog').last().locator('mark').first().textContent())
      .toContain('parse-2');
    await page.keyboard.press('Escape');
    expect(await lacking.count()).toBe(1);
    await lacking.getByRole('button', { name: 'close' }).click();
    expect(await lacking.count()).toBe(0);
    await page.keyboard.press(']');
    expect(await page.locator('.loss h2').textContent()).toMatch(/^Compression \d+$/);
  });

  test('a reload keeps the moment, a link leads there, and at the end nothing stands in the address', async () => {
    const { page } = await show();
    await page.keyboard.press('Home');
    await expect.poll(() => page.evaluate('location.hash')).toBe('#at=seq:1');
    await page.keyboard.press(']');
    const moment = await seen(page);
    await expect.poll(() => page.evaluate('location.hash')).toMatch(/^#at=seq:(?!1$)\d+$/);
    await page.reload();
    await expect.poll(() => seen(page)).toBe(moment);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'copy link' }).click();
    await expect.poll(() => page.locator('.copy').textContent()).toBe('copied');
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const other = await browser.newPage();
    onTestFinished(() => other.close());
    await other.goto(link);
    await expect.poll(() => seen(other)).toBe(moment);
    await other.goto(link.replace(/at=.*/, 'at=1'));
    await expect.poll(() => seen(other)).toMatch(/^turn 1,/);
    expect(await other.locator('.astray').count()).toBe(0);
    await other.goto(link.replace(/at=.*/, 'at=banana'));
    await expect
      .poll(() => other.locator('.astray').textContent())
      .toContain('"banana" is no moment: 40 is a turn');
    await other.goto(link.replace(/at=.*/, 'at=99'));
    await expect
      .poll(() => other.locator('.astray').textContent())
      .toMatch(/^There is no turn 99; the last is \d+\./);
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate('location.hash')).toBe('');
  });

  test('a cut is told with what was counted, what the model did not see, and how the session went on', async () => {
    const { page } = await show([], 1_400, 'cut');
    await page.getByRole('button', { name: 'The server cut the prompt' }).first().click();
    const story = page.locator('.cut-story');
    expect(await story.textContent()).toMatch(
      /^sent[\d,]+the server counted[\d,]+−\d+ %Certain: .* longer than the window.*The model did not see−e1-e\d+ \d+ entries, word for word/,
    );
    expect(await story.textContent()).toMatch(
      /How the session recoveredannounced I may have lost.*It waits for an answer\.$/,
    );
    const cutOff = page.locator('.cut-off');
    await expect
      .poll(() => cutOff.textContent())
      .toMatch(
        /^The server cut the promptSent last: [\d,]+ tokens; the server counted [\d,]+\. The model did not see e1-e\d+$/,
      );
    expect(await page.locator('.piece.cut .badge').first().textContent()).toBe('cut off');
    expect(await page.locator('.counted-by b').textContent()).toMatch(/^[\d,]+.* of [\d,]+ sent$/);
    const mark = (await page.locator('.mark.cut.now').boundingBox())!;
    await page.mouse.move(mark.x + mark.width / 2 + 1, mark.y + 100);
    expect(await page.locator('.readout').textContent()).toMatch(
      /sent [\d,]+ · the server counted [\d,]+The server cut the prompt$/,
    );
    await story.locator('summary').click();
    await expect.poll(() => story.locator('.piece-head').count()).toBeGreaterThan(2);
    await page.keyboard.press(']');
    await expect
      .poll(() => page.locator('.loss h2').textContent())
      .toMatch(/^\d+ entries put out of view$/);
    await page.keyboard.press(']');
    expect(await story.textContent()).toContain('recovered Recovered context: We were working on');
    expect(await cutOff.count()).toBe(0);
    const costs = page.locator('.costs');
    expect(await costs.textContent()).toMatch(
      /^Sent so far[\d,]+ tokens in \d+ calls.*Counted by the server[\d,]+ tokens, where [\d,]+ were expected.*cache[\d,]+ tokens, 50 % of those$/,
    );
    const before = await costs.textContent();
    await page.keyboard.press('End');
    expect(await costs.textContent()).not.toBe(before);
    expect(await page.locator('.counted').getAttribute('d')).toMatch(/^(M\d+,[\d.]+h0){20}/);
    expect(await page.locator('.gap').getAttribute('d')).toMatch(/^M\d+,[\d.]+V/);
  });

  test('the state machines stand folded below; opened they follow the playhead, and its step can be gone through', async () => {
    const { page } = await show();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: /^Compression 1,/ }).click();
    await expect.poll(() => page.locator('.loss .diff li').count()).toBeGreaterThan(0);
    expect(asked).not.toContain('/api/moves');
    await page.getByRole('button', { name: 'State machines' }).click();
    const lit = page.locator('.state.active');
    await expect.poll(() => lit.allTextContents()).toEqual(['open', 'in_progress', 'idle']);
    const moves = page.getByRole('list', { name: 'Transitions of this step' });
    await moves.getByRole('button', { name: 'idle → measuring' }).click();
    expect(await lit.allTextContents()).toEqual(['open', 'in_progress', 'measuring']);
    expect(await page.locator('.arrow.last').textContent()).toContain('compression.request');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => lit.allTextContents()).toEqual(['open', 'in_progress']);
    expect(await page.locator('.machines').textContent()).toContain(
      'Not at work: compression, recovery.',
    );
    await page.getByRole('button', { name: 'Frame completed: User accounts' }).click();
    await expect.poll(() => lit.allTextContents()).toEqual(['open', 'completed']);
  });

  test('beside it the same session in another window, at the same entry, with what that would have kept', async () => {
    const { page } = await show(['--window', '16k']);
    const beside = page.getByRole('region', { name: 'In a window of 16,384' });
    await page.keyboard.press('[');
    expect(await page.locator('.loss h2').textContent()).toMatch(/^Compression/);
    await expect
      .poll(() => beside.locator('header').textContent())
      .toMatch(/after the same entry: [\d,]+ \/ [\d,]+ tokens · 0 compressions$/);
    await expect
      .poll(() => beside.locator('p').first().textContent())
      .toMatch(/^It holds [1-9]\d* entries that this window does not: e/);
    const name = beside.locator('.lost .name').first();
    expect(await page.locator('.prompt').textContent()).not.toContain(await name.textContent());
    await expect.poll(() => beside.locator('.piece').count()).toBeGreaterThan(5);
    expect(await page.locator('path.other').getAttribute('d')).toMatch(/^M0\.0,[\d.]+L/);
    await page.keyboard.press('Home');
    await expect
      .poll(() => beside.locator('p').first().textContent())
      .toMatch(/^It holds 0 entries .* 0 of them are not in the prompt/);
  });

  test('a smaller window that holds nothing more leaves no column empty', async () => {
    const { page } = await show(['--window', '1k']);
    const parts = page.locator('.beside .scroll');
    await expect.poll(() => parts.first().textContent()).toMatch(/^It holds 0 entries/);
    const [more, prompt] = [
      (await parts.nth(0).boundingBox())!,
      (await parts.nth(1).boundingBox())!,
    ];
    expect(prompt.x).toBe(more.x);
    expect(prompt.y).toBeGreaterThanOrEqual(more.y + more.height);
  });

  test('an id leads to its entry, a frame to its log, words to those who said them', async () => {
    const { page } = await show();
    await page.locator('.prompt .ref').first().click();
    const panel = page.getByRole('dialog');
    await expect.poll(() => panel.locator('article').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'User accounts, completed' }).click();
    await expect.poll(() => panel.locator('article').count()).toBe(24);
    await page.keyboard.press('/');
    await page.keyboard.type('accounts work');
    await page.keyboard.press('Enter');
    await expect.poll(() => panel.locator('h2').textContent()).toBe('“accounts work”');
    await expect
      .poll(() => panel.locator('article').first().textContent())
      .toContain('Accounts work');
    expect(await panel.locator('mark').allTextContents()).toEqual(
      expect.arrayContaining(['Accounts', 'work']),
    );
    await page.getByRole('button', { name: 'close' }).click();
    await page.getByRole('listbox', { name: 'Events' }).press('Enter');
    await expect.poll(() => panel.locator('h2').textContent()).toMatch(/^[ef]\d+/);
  });

  test('a search looks through all sessions of the store, and a hit of another one leads to it', async () => {
    const { page } = await show();
    await page.getByLabel('Search').fill('parse-7');
    await page.getByLabel('Search').press('Enter');
    const panel = page.getByRole('dialog');
    await expect.poll(() => panel.locator('.elsewhere').count()).toBe(1);
    await expect.poll(() => panel.textContent()).toContain('parse-7');
    await page.setViewportSize({ width: 400, height: 900 });
    const there = panel.getByRole('button', { name: 'go there' }).first();
    expect((await there.boundingBox())!.height).toBeLessThan(30);
    expect(await panel.locator('.whose').textContent()).toMatch(
      /^the best \d+ entries, \d+ in this session, the others in 1 more$/,
    );
    const other = panel.locator('.elsewhere ~ article a').first();
    const entry = (await other.textContent())!;
    await other.click();
    await expect.poll(() => page.locator('h1').textContent()).not.toBe('Build the notes app');
    await expect.poll(() => page.evaluate('location.hash')).toMatch(/^#session=cut&at=seq:\d+$/);
    await expect.poll(() => page.locator('.prompt').textContent()).toContain(entry);
    await page.reload();
    await expect.poll(() => page.locator('h1').textContent()).toMatch(/^The reader of/);
  });

  test('by keyboard: the marks and the frames are one stop each, ? tells the keys, and the focus comes back', async () => {
    const { page } = await show();
    const named = () =>
      page.evaluate<string>(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
    await page.keyboard.press('Tab');
    expect(await named()).toBe('Skip to the playhead');
    await page.keyboard.press('Enter');
    expect(await named()).toBe('Moment');
    const list = page.getByRole('listbox', { name: 'Events' });
    await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    await page.keyboard.press('Home');
    await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await page.getByRole('button', { name: 'tokens', exact: true }).focus();
    await page.keyboard.press('Tab');
    expect(await named()).toMatch(/^Compressions? \d/);
    await page.keyboard.press('Home');
    const first = await named();
    await page.keyboard.press('ArrowRight');
    expect(await named()).not.toBe(first);
    const moment = await seen(page);
    await page.keyboard.press('ArrowLeft');
    expect([await named(), await seen(page)]).toEqual([first, moment]);
    await page.keyboard.press('Enter');
    expect(first).toContain(`${await page.locator('.loss h2').textContent()}, turn `);
    await page.keyboard.press('Tab');
    expect(await named()).toBe('Build the notes app, began');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'User accounts' });
    await expect.poll(() => drawer.locator('article').count()).toBe(24);
    expect(await drawer.locator('.about').textContent()).toBe('The log of f2, completed');
    expect(await named()).toBe('User accounts');
    await page.keyboard.press('Escape');
    expect(await named()).toBe('User accounts, completed');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog', { name: 'Keys' }).textContent()).toContain('play, pause');
    await page.keyboard.press('Escape');
    const slider = page.getByRole('slider', { name: 'Moment' });
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^turn \d+ · step \d+ of \d+ · /);
    const said = page.locator('[aria-live=polite]');
    await expect.poll(() => said.textContent()).toBe(await slider.getAttribute('aria-valuetext'));
    await goTo(page, '3');
    expect(await page.getByLabel('go to').inputValue()).toBe('3');
    await page.keyboard.press('End');
    await expect.poll(() => page.getByLabel('go to').inputValue()).toBe('');
    await page.keyboard.press('/');
    await page.keyboard.type('port');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    expect(await seen(page)).toBe('turn 0, step 1');
    expect(await page.getByLabel('Search').inputValue()).toBe('port');
  });

  test.each(['turns', 'time', 'tokens'])(
    'the thumb of the slider stands below the playhead by %s, and goes along its axis',
    async (name) => {
      const { page } = await show();
      await page.getByRole('group', { name: 'Axis' }).getByRole('button', { name }).click();
      const slider = page.getByRole('slider', { name: 'Moment' });
      const thumb = 14;
      const places = async (): Promise<readonly number[]> => {
        const [bar, line] = await Promise.all([
          slider.boundingBox(),
          page.locator('.plot .playhead').boundingBox(),
        ]);
        const value = Number(await slider.inputValue());
        return [bar!.x + thumb / 2 + value * (bar!.width - thumb), line!.x + line!.width / 2];
      };
      const isBelow = async (): Promise<void> => {
        const [at, line] = await places();
        expect(Math.abs(at! - line!)).toBeLessThan(1.5);
      };
      for (const key of ['Home', ']', ']', 'ArrowLeft']) {
        await page.keyboard.press(key);
        await isBelow();
      }
      const before = await slider.getAttribute('aria-valuetext');
      await slider.press('ArrowUp');
      await isBelow();
      const stepOf = (text: string | null): number => Number(/step (\d+)/.exec(text!)![1]);
      expect(stepOf(await slider.getAttribute('aria-valuetext'))).toBe(stepOf(before) + 1);
      const [bar, plot] = [
        (await slider.boundingBox())!,
        (await page.locator('.plot').boundingBox())!,
      ];
      const middle = plot.x + plot.width * 0.6;
      await page.mouse.move((await places())[0]!, bar.y + bar.height / 2);
      await page.mouse.down();
      await page.mouse.move(middle, bar.y + bar.height / 2, { steps: 4 });
      await page.mouse.up();
      await isBelow();
      const dragged = await slider.getAttribute('aria-valuetext');
      expect((await places())[0]).toBeLessThanOrEqual(middle + 1);
      await page.mouse.click(middle, plot.y + plot.height / 2);
      expect(await slider.getAttribute('aria-valuetext')).toBe(dragged);
      await slider.fill('1');
      await isBelow();
      expect(Number(await slider.inputValue())).toBe(1);
      expect(await slider.getAttribute('aria-valuetext')).not.toBe(dragged);
    },
  );

  test('what another program writes is there within seconds, and the playhead at the end goes along', async () => {
    const { page, store } = await show(['--live']);
    const before = await seen(page);
    const connection = (): Promise<string | null> => page.locator('.connection').textContent();
    {
      await using other = await openStore(store);
      const session = await other.open('notes');
      await expect.poll(connection).toBe('live');
      await session.append({ role: 'user', content: 'One more thing: dark mode' });
      await expect.poll(() => seen(page)).not.toBe(before);
      expect(await connection()).toBe('live');
    }
    await expect.poll(() => page.locator('.prompt').textContent()).toContain('dark mode');
    await expect.poll(connection).toBe('at the end');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.locator('.connection').textContent()).toBe('1 step behind');
  });

  test('while a long session is read the newest prompt is there, and how far it is', async () => {
    const whole = gate();
    const step = (seq: number): Step => ({
      seq,
      frame: 'f0',
      at: seq,
      written: seq,
      turn: seq,
      epoch: 1,
      said: seq,
      sizes: [0, 0, 0, 0, 0, 0, 0, seq],
      limit: 9_000,
      due: 8_000,
      news: [],
    });
    const prompt: Prompt = {
      seq: 9_000,
      path: [],
      missing: [],
      names: 0,
      kept: 0,
      messages: [
        { section: 'working', role: 'user', kind: 'entry', entry: 'e9', tokens: 1, text: 'Go on' },
      ],
    };
    const head = { session: 's', title: 'Long', place: '', window: 9_999, began: 0, live: false };
    const viewer = await startViewer({
      page: 'session',
      folder: await bundledPage(mkdtempSync(join(tmpdir(), 'flamestack-page-'))),
      routes: {
        async *steps() {
          yield { ...head, last: 9_000 };
          for (let seq = 1; seq <= 4_000; seq += 1) yield step(seq);
          await whole.passed;
          for (let seq = 4_001; seq <= 9_000; seq += 1) yield step(seq);
        },
        async *prompt(_, asked) {
          yield { ...prompt, seq: Number(asked.get('seq')) };
        },
      },
    });
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    onTestFinished(async () => {
      await page.close();
      await viewer.close();
    });
    await page.goto(viewer.link);
    const told = (): Promise<string | null> => page.locator('.prompt').textContent();
    await expect.poll(told).toMatch(/The prompt at the end.*Go on/);
    expect(await page.locator('.connection').textContent()).toMatch(
      /^reading, [\d,]+ of 9,000 steps$/,
    );
    whole.open();
    await expect.poll(told).toMatch(/The prompt at this moment.*step 9000.*Go on/);
    expect(await page.locator('.legend').textContent()).toContain('thinned: of 9,000 steps');
  });

  test('frames stand in the order of the axis, those too that ended before they began', async () => {
    const store = await newFolder();
    {
      await using made = await openStore(store);
      const session = await made.open('order', { window: 4_096, title: 'Order' });
      const { id: later } = await session.frames.plan({ title: 'Later' });
      await session.push({ title: 'First' });
      await session.append({ role: 'user', content: parserText(1) });
      await session.frames.plan({ title: 'Never' });
      await session.append({ role: 'user', content: parserText(2) });
      await session.pop({ status: 'failed', drop: true });
      await session.frames.start(later);
      await session.append({ role: 'user', content: parserText(3) });
      await session.settled();
    }
    const { page } = await showPage(browser, ['order', '--store', store]);
    const bars = page.getByRole('group', { name: 'Frames in order' }).getByRole('button');
    const named = await Promise.all(
      (await bars.all()).map((bar) => bar.getAttribute('aria-label')),
    );
    expect(named).toEqual(['Order, began', 'First, failed', 'Never, invalidated', 'Later, began']);
    const [parent, box] = [(await bars.nth(1).boundingBox())!, (await bars.nth(2).boundingBox())!];
    expect(box.width).toBeGreaterThanOrEqual(4);
    expect(box.y).toBeGreaterThan(parent.y);
    expect(Math.abs(box.x - parent.x - parent.width)).toBeLessThan(2);
  });

  test('entries without dates are told with that of their file, and by time there is no chart', async () => {
    const store = await newFolder();
    const file = join(folder, 'chat.json');
    const messages = [1, 2, 3].flatMap((n) => [
      { role: 'user', content: parserText(n) },
      { role: 'assistant', content: 'Done.' },
    ]);
    await writeFile(file, JSON.stringify({ messages }));
    await utimes(file, new Date('2026-03-02T09:17:30Z'), new Date('2026-03-02T09:17:30Z'));
    for (const id of ['chat', 'again']) {
      const words = ['import', file, '--id', id, '--store', store];
      expect(spawnSync(process.execPath, [program, ...words]).status).toBe(0);
    }
    const { page } = await showPage(browser, ['chat', '--store', store]);
    const moment = () => page.locator('.player output').textContent();
    expect(await moment()).toMatch(/ · ~2026-03-02 09:17 UTC$/);
    expect(await page.locator('.no-times').count()).toBe(0);
    await page.getByRole('button', { name: 'time', exact: true }).click();
    expect(await page.locator('.no-times').textContent()).toBe(
      'The entries have no dates of their own; ~2026-03-02 09:17 UTC is that of the file. by turns',
    );
    await page.getByRole('button', { name: 'by turns' }).click();
    expect(await page.locator('.no-times').count()).toBe(0);
    await page.keyboard.press('b');
    const others = page.getByRole('dialog').getByRole('option');
    await expect
      .poll(() => others.allTextContents())
      .toEqual([expect.stringContaining('~2026-03-02 09:17 UTC')]);
  });

  test('beside a long title stand project, branch and agent, at any width', async () => {
    const store = await newFolder();
    {
      await using made = await openStore(store);
      const title = 'A very long title of a session '.repeat(9);
      const place = {
        folder: `/home/ada/${'deep/'.repeat(9)}notes-app`,
        branch: 'main',
        agent: 'pi',
      };
      const session = await made.open('long', { window: 4_096, title, ...place });
      await session.append({ role: 'user', content: 'Go on' });
      await session.settled();
    }
    for (const width of [1_100, 1_600]) {
      const { page } = await showPage(browser, ['long', '--store', store], width);
      const place = page.locator('.head .place');
      expect(await place.textContent()).toBe('notes-app · main · pi');
      const hidden = `document.querySelector('.place').scrollWidth - document.querySelector('.place').clientWidth`;
      expect(await page.evaluate(hidden)).toBe(0);
      const { width: gauge } = (await page.locator('.gauge-bar').boundingBox())!;
      expect(gauge).toBeGreaterThanOrEqual(200);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(width);
    }
  });

  test('on a narrow screen nothing is wider than it', async () => {
    const { page } = await show(['--window', '16k'], 400);
    await page.getByRole('button', { name: 'State machines' }).click();
    await expect.poll(() => page.locator('.state.active').count()).toBeGreaterThan(0);
    await expect.poll(() => page.locator('.beside .piece').count()).toBeGreaterThan(0);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(400);
    const { height } = (await page.locator('.player').boundingBox())!;
    expect(height).toBeLessThan(80);
  });
});
