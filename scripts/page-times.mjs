import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

// Measures the page of a long session, made of our own example again and again, in the browser that Debian has: how
// long it takes to be there, and what a step of the playhead takes. Entries unless told: 20,000.

const entries = Number(process.argv[2] ?? 20_000);
const [frame, rest] = [66, 50];

process.chdir(join(import.meta.dirname, '..'));
const { openStore } = await import('../dist/index.js');
const folder = mkdtempSync(join(tmpdir(), 'flamestack-times-'));
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await make();
  await measure();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** A session that enters a frame every 66 entries, and ends it after 50. */
async function make() {
  const said = readFileSync('examples/notes-app.jsonl', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"type":"append"'))
    .map((line) => JSON.parse(line).message)
    .filter(({ content }) => typeof content === 'string' && content !== '');
  const store = await openStore(folder);
  const session = await store.open('long', { window: 32_768, title: `${entries} entries` });
  for (let n = 0; n < entries; n += 1) {
    if (n % frame === 0) await session.push({ title: `Part ${n / frame + 1}` });
    if (n % frame === rest) await session.pop({ status: 'completed', results: 'It is done.' });
    const { role, content } = said[n % said.length];
    const message = { role: role === 'user' ? 'user' : 'assistant', content };
    await session.append(message, { at: 1_772_442_012_411 + n * 60_000 });
  }
  await session.settled();
  await store.close();
}

async function measure() {
  const bare = bareNode();
  const server = spawn(
    process.execPath,
    ['dist/main.js', 'view', 'long', '--json', '--store', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [printed] = await once(server.stdout, 'data');
  const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const begun = performance.now();
  await page.goto(JSON.parse(String(printed)).link);
  await page.getByText('stored', { exact: true }).waitFor({ timeout: 600_000 });
  const [there, served] = [(performance.now() - begun) / 1_000, processorTime(server.pid)];
  const drawn = await busy(client);
  console.log(`a bare Node: ${bare.toFixed(2)} s of processor time`);
  console.log(
    `${entries} entries are there after ${there.toFixed(1)} s: ${times(served, bare)} in the server, ${times(drawn, bare)} in the page`,
  );
  for (const [key, count] of [
    ['ArrowLeft', 60],
    ['PageUp', 60],
    ['[', 40],
  ])
    await press({ page, client, bare }, key, count);
  server.kill('SIGINT');
  await once(server, 'exit');
}

function times(seconds, bare) {
  return `${seconds.toFixed(3)} s (${(seconds / bare).toFixed(2)} ×)`;
}

/** Presses a key some times a second, and tells how long frames of the screen stood. */
async function press({ page, client, bare }, key, count) {
  await page.evaluate(watchFrames);
  const before = await busy(client);
  for (let n = 0; n < count; n += 1) {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
  }
  const each = ((await busy(client)) - before) / count;
  const gaps = (await page.evaluate('stopFrames()')).sort((one, other) => one - other);
  const at = (share) =>
    Math.round(gaps[Math.min(gaps.length - 1, Math.floor(share * gaps.length))]);
  console.log(
    `${key}: ${times(each, bare)} of the page for a step; frames of ${at(0.5)} ms, of 100 five take over ${at(0.95)}, the longest ${at(1)}`,
  );
}

/** Runs in the page: notes how long each frame stood, until it is told to stop. */
function watchFrames() {
  const gaps = [];
  let [last, runs] = [performance.now(), true];
  const next = (now) => {
    gaps.push(now - last);
    last = now;
    if (runs) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  globalThis.stopFrames = () => {
    runs = false;
    return gaps.slice(1);
  };
}

/** Processor time of the page's main thread, in seconds. */
async function busy(client) {
  const { metrics } = await client.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value;
}

/** Processor time of a process, in seconds. */
function processorTime(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15);
  return (Number(user) + Number(system)) / 100;
}

/** Processor time of a Node that does nothing: the least of five, in seconds. */
function bareNode() {
  const tell =
    'const { userCPUTime: u, systemCPUTime: s } = process.resourceUsage(); console.log(u + s)';
  const taken = Array.from(
    { length: 5 },
    () => Number(spawnSync(process.execPath, ['-e', tell]).stdout) / 1e6,
  );
  return Math.min(...taken);
}
