import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { traceFile } from '../../../src/cli/export/forms/trace.ts';
import { newFolder } from '../../store/folder.ts';
import { hasBrowser, program, quiet } from '../pages/browser.ts';
import { exportedAs } from './exported.ts';

// The tools of Chrome, as the browser serves them of itself, open a trace in their panel for performance, and its
// engine tells what it read: on each track what lies within what.

type Trace = ReturnType<typeof traceFile>;

/** What the engine read. */
interface Read {
  readonly bounds: { readonly min: number; readonly range: number };
  readonly tracks: readonly {
    readonly name: string;
    readonly depth: number;
    readonly stretches: readonly (readonly [name: string, ts: number, dur: number])[];
  }[];
}

/** Reads a trace in the page, by the engine that the panel draws with. */
const reading = (trace: Trace): string => `(async () => {
  const { TraceModel } = await import('./models/trace/trace.js');
  const model = TraceModel.Model.createWithAllHandlers();
  await model.parse(${JSON.stringify(trace.traceEvents)}, {});
  const { Meta, Renderer } = model.parsedTrace(0).data;
  const threads = [...Renderer.processes.values()].flatMap(({ threads }) => [...threads]);
  const tracks = threads.sort(([one], [other]) => one - other).map(([, thread]) => ({
    name: thread.name,
    depth: thread.tree.maxDepth,
    stretches: thread.entries.map(({ name, ts, dur }) => [name, ts, dur]),
  }));
  return { bounds: Meta.traceBounds, tracks };
})()`;

describe.skipIf(!hasBrowser)('the tools of Chrome', () => {
  let context: BrowserContext;
  let page: Page;
  const wrong: string[] = [];

  beforeAll(async () => {
    const folder = await newFolder();
    const args = [...quiet, '--remote-debugging-port=0'];
    context = await chromium.launchPersistentContext(folder, { executablePath: program, args });
    const port = (await readFile(join(folder, 'DevToolsActivePort'), 'utf8')).split('\n')[0]!;
    page = await context.newPage();
    page.on('pageerror', (error) => wrong.push(String(error)));
    await page.goto(`http://127.0.0.1:${port}/devtools/devtools_app.html?panel=timeline`);
  });

  afterAll(() => context.close());

  test('they open a trace in their panel', async () => {
    const file = await exportedAs('trace');
    const chosen = page.waitForEvent('filechooser');
    await page
      .getByRole('button', { name: /load (?:profile|trace)/i })
      .first()
      .click();
    await (await chosen).setFiles(file);
    await page.getByText('Bottom-up').first().waitFor();
    expect(await page.getByText(/failed|malformed|invalid/i).count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  test('their engine has each stretch on its track, the whole of the session, and no more', async () => {
    const trace = JSON.parse(await readFile(await exportedAs('trace'), 'utf8')) as Trace;
    const { bounds, tracks } = await page.evaluate<Read>(reading(trace));
    const stretches = trace.traceEvents.filter(({ ph }) => ph === 'X');
    const names = trace.traceEvents.filter(({ ph, tid }) => ph === 'M' && tid > 0);
    expect(tracks.map(({ name, stretches: read }) => [name, read])).toEqual(
      names.map(({ tid, args }) => [
        args['name'],
        stretches.filter((one) => one.tid === tid).map(({ name, ts, dur }) => [name, ts, dur]),
      ]),
    );
    expect(tracks.map(({ depth }) => depth)).toEqual([2, 1]);
    const whole = stretches.find(({ args }) => args['frame'] === 'f0')!;
    expect(bounds).toMatchObject({ min: whole.ts, range: whole.dur });
  });
});
