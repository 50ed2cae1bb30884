import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { playRecovery } from './recovery-session.mjs';

// Takes the pictures of docs/pictures anew: the page of our own example, and of a chat whose server cuts its
// prompts, in the browser that Debian has.

const folder = 'docs/pictures';
const pictures = [
  {
    name: 'session-dark',
    colorScheme: 'dark',
    width: 1400,
    height: 940,
    keys: ['['],
    options: [],
  },
  {
    name: 'session-light',
    colorScheme: 'light',
    width: 1400,
    height: 940,
    keys: ['Home', ']', ']', ']', ']', ']', ']'],
    options: [],
  },
  { name: 'session-narrow', colorScheme: 'light', width: 480, height: 900, keys: [], options: [] },
  {
    name: 'session-window',
    colorScheme: 'light',
    width: 1400,
    height: 1060,
    keys: ['[', '[', '[', '['],
    options: ['--window', '32k'],
    waits: '.beside .lost',
  },
  {
    name: 'session-beside',
    colorScheme: 'light',
    width: 1400,
    height: 1130,
    keys: ['[', '['],
    options: ['--beside', 'notes-small'],
    waits: '.only .lost',
  },
  {
    name: 'session-recovery',
    colorScheme: 'light',
    width: 1200,
    height: 980,
    keys: ['Home', ']', ']', ']', ']'],
    session: 'notes-chat',
    options: [],
    waits: '.stages li:nth-child(3)',
  },
];

process.chdir(join(import.meta.dirname, '..'));
mkdirSync(folder, { recursive: true });
const store = mkdtempSync(join(tmpdir(), 'flamestack-pictures-'));
const flamestack = (...words) =>
  spawn(process.execPath, ['dist/main.js', ...words, '--store', store], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
for (const words of [
  ['--window', '8k'],
  ['--window', '5k', '--id', 'notes-small'],
])
  await once(flamestack('import', 'examples/notes-app.jsonl', ...words, '-q'), 'exit');
const home = join(store, 'notes-app');
mkdirSync(home);
await playRecovery((...words) =>
  spawn(process.execPath, [join(process.cwd(), 'dist/main.js'), ...words, '--store', store], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: home,
  }),
);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  for (const picture of pictures) await take(picture);
} finally {
  await browser.close();
  rmSync(store, { recursive: true, force: true });
}

async function take({
  name,
  colorScheme,
  width,
  height,
  keys,
  options,
  waits,
  session = 'notes-app',
}) {
  const server = flamestack('view', session, '--json', ...options);
  try {
    const [printed] = await once(server.stdout, 'data');
    const { link } = JSON.parse(String(printed));
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    await page.goto(link);
    const last = options[0] === '--beside' ? 1 : 0;
    await page.getByText('stored', { exact: true }).nth(last).waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await page.locator('.prompt [aria-busy=false] .piece').first().waitFor();
    if (waits !== undefined) await page.locator(waits).first().waitFor({ state: 'attached' });
    if (keys.length > 0) await page.locator('.loss .diff li').first().waitFor();
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.close();
  } finally {
    server.kill('SIGINT');
    await once(server, 'exit');
  }
}
