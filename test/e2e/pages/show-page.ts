import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { program } from '../../cli/pty.ts';

/** The page that `view` serves with these words; nothing may be wrong with it at the end, and it asks nobody else. */
export async function showPage(
  browser: Browser,
  words: readonly string[],
  width = 1_400,
): Promise<{ readonly page: Page; readonly link: string }> {
  const child = spawn(process.execPath, [program, 'view', '--json', ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const { link } = JSON.parse(String(printed)) as { link: string };
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const wrong: string[] = [];
  page.on('console', (said) => wrong.push(`${said.type()}: ${said.text()}`));
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('request', (asked) => {
    if (new URL(asked.url()).origin !== new URL(link).origin) wrong.push(asked.url());
  });
  onTestFinished(async () => {
    await page.close();
    child.kill('SIGINT');
    await once(child, 'exit');
    expect(wrong).toEqual([]);
  });
  await page.goto(link);
  await expect
    .poll(() => page.locator('.connection').first().textContent())
    .toBe(words.includes('--live') ? 'at the end' : 'stored');
  return { page, link };
}
