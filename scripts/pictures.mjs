import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

// Takes the pictures of docs/pictures anew: the page of our own example, in the browser that Debian has.

const folder = 'docs/pictures';
const pictures = [
  { name: 'session-dark', colorScheme: 'dark', width: 1400, height: 940, keys: ['[', '['] },
  {
    name: 'session-light',
    colorScheme: 'light',
    width: 1400,
    height: 940,
    keys: ['Home', ']', ']', ']'],
  },
  { name: 'session-narrow', colorScheme: 'light', width: 480, height: 900, keys: [] },
];

process.chdir(join(import.meta.dirname, '..'));
mkdirSync(folder, { recursive: true });
const store = mkdtempSync(join(tmpdir(), 'flamestack-pictures-'));
const flamestack = (...words) =>
  spawn(process.execPath, ['dist/main.js', ...words, '--store', store], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
await once(flamestack('import', 'examples/notes-app.jsonl', '--window', '8k', '-q'), 'exit');
const server = flamestack('view', '--json');
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const [printed] = await once(server.stdout, 'data');
  const { link } = JSON.parse(String(printed));
  for (const { name, colorScheme, width, height, keys } of pictures) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    await page.goto(link);
    await page.getByText('stored', { exact: true }).waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await page.locator('.prompt .piece').first().waitFor();
    if (width > 1_000) await page.locator('.loss .lines li').first().waitFor();
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.close();
  }
} finally {
  await browser.close();
  server.kill('SIGINT');
  await once(server, 'exit');
  rmSync(store, { recursive: true, force: true });
}
