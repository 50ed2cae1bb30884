import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWebSocketInspector } from '@statelyai/inspect';
import { createInspectorServer } from '@statelyai/inspect/server';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, toStately, type StatelyEvent } from '../../../src/index.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { freePort } from '../../free-port.ts';

// A session that runs, told to the inspector of Stately by its own server, read in a real browser by its own receiver.

/** A page in which that receiver keeps what it is told. */
async function receiverPage(server: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'flamestack-receiver-'));
  const entry = join(folder, 'entry.js');
  const face = import.meta.resolve('@statelyai/inspect').replace('file://', '');
  writeFileSync(
    entry,
    `import { createWebSocketReceiver } from ${JSON.stringify(face)};
    window.told = [];
    createWebSocketReceiver({ server: ${JSON.stringify(server)} }).subscribe((event) => told.push(event));`,
  );
  const whole = await rolldown({ input: entry, platform: 'browser' });
  await whole.write({ file: join(folder, 'page.js') });
  await whole.close();
  const script = readFileSync(join(folder, 'page.js'));
  const pages = createServer((asked, answered) =>
    asked.url === '/page.js'
      ? answered.setHeader('content-type', 'text/javascript').end(script)
      : answered
          .setHeader('content-type', 'text/html')
          .end('<script src="/page.js" type="module"></script>'),
  ).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  onTestFinished(() => void pages.close());
  return `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
}

test.skipIf(!hasBrowser)(
  'a browser with the receiver of Stately is told what a session does',
  async () => {
    const port = await freePort();
    const url = `ws://127.0.0.1:${port}`;
    const server = createInspectorServer({ port, autoOpen: false });
    onTestFinished(() => server.stop());
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(await receiverPage(url));
    const inspector = createWebSocketInspector({ url });
    onTestFinished(() => inspector.stop());
    const sent: StatelyEvent[] = [];
    const store = await openStore(':memory:', {
      inspect(inspection) {
        for (const message of toStately(inspection)) {
          sent.push(message);
          inspector.adapter.send(message as never);
        }
      },
    });
    const session = await store.open('notes', { window: 2_048 });
    await session.push({ title: 'Parser' });
    for (let n = 0; n < 30; n += 1)
      await session.append({ role: 'assistant', content: `Step ${n}: ${'words '.repeat(60)}` });
    await session.pop({ status: 'failed', results: 'No parser.' });
    await store.close();
    expect(sent.some(({ sessionId }) => sessionId === 'notes/f1/compression')).toBe(true);
    await expect.poll(() => page.evaluate('told.length')).toBe(sent.length);
    expect(await page.evaluate('told')).toEqual(JSON.parse(JSON.stringify(sent)));
  },
);
