import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Where Debian has its browser. */
export const program = '/usr/bin/chromium';

/** Whether there is a browser to look with. */
export const hasBrowser: boolean = existsSync(program);

/** With what it talks with nobody by itself. */
export const quiet: string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser that talks with nobody by itself. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: quiet });

/** What a page that is one file must not do: say something to the console, fail, or ask for anything but itself. */
export function wrongIn(page: Page, link: string): readonly string[] {
  const wrong: string[] = [];
  page.on('console', (said) => wrong.push(`${said.type()}: ${said.text()}`));
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('request', (asked) => {
    if (asked.url() !== link && !asked.url().startsWith('data:')) wrong.push(asked.url());
  });
  return wrong;
}

const script: string = '../../../scripts/bundle.mjs';

/** The page, bundled into a folder. */
export async function bundledPage(folder: string): Promise<URL> {
  const { bundlePage } = (await import(script)) as {
    bundlePage(folder: string): Promise<void>;
  };
  await bundlePage(folder);
  return pathToFileURL(`${folder}/`);
}
