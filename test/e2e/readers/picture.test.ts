import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasBrowser, openBrowser, wrongIn } from '../pages/browser.ts';
import { exportedAs } from './exported.ts';

/** What of a picture is drawn, and where it ends. */
const drawn = `(() => {
  const { width, height } = document.documentElement.viewBox.baseVal;
  const boxes = [...document.querySelectorAll('text, .bar, .mark')].map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return { of: one.classList[0] ?? '', text: one.textContent, left, top, right, bottom };
  });
  return { root: document.documentElement.namespaceURI, width, height, boxes };
})()`;

interface Drawn {
  readonly root: string;
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly {
    readonly of: string;
    readonly text: string;
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }[];
}

describe.skipIf(!hasBrowser)('a picture in a browser', () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await openBrowser()));
  afterAll(() => browser.close());

  test('is read as XML, asks for nothing, and draws all of it on its sheet', async () => {
    const link = pathToFileURL(await exportedAs('svg', 'svg')).href;
    const page = await browser.newPage({ viewport: { width: 1_000, height: 700 } });
    onTestFinished(() => page.close());
    const wrong = wrongIn(page, link);
    await page.goto(link);
    const { root, width, height, boxes } = await page.evaluate<Drawn>(drawn);
    expect(root).toBe('http://www.w3.org/2000/svg');
    expect(await page.locator('parsererror').count()).toBe(0);
    expect(await page.locator('svg > title').textContent()).toBe('Tidy <the> & parts');
    expect(boxes.filter(({ of }) => of === 'bar')).toHaveLength(3);
    expect(boxes.filter(({ of }) => of === 'mark').length).toBeGreaterThan(0);
    expect(boxes.map(({ text }) => text)).toContain('planned (1): Ship "it"');
    for (const { text, left, top, right, bottom } of boxes) {
      expect(Math.min(left, top), text).toBeGreaterThanOrEqual(0);
      expect(right, text).toBeLessThanOrEqual(width);
      expect(bottom, text).toBeLessThanOrEqual(height);
    }
    expect(wrong).toEqual([]);
  });
});
