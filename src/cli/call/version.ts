import { createRequire } from 'node:module';

/** The version of this package. */
export function version(): string {
  const manifest = createRequire(import.meta.url)('flamestack/package.json') as { version: string };
  return manifest.version;
}
