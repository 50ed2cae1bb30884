import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// What SECURITY.md says of the packages that are installed.

interface Locked {
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

const read = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Readonly<Record<string, Locked>>;
};
const all = Object.entries(packages).filter(([path]) => path !== '');
const shipped = all.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);

test('each package that comes with ours is locked by its digest', () => {
  expect(shipped.length).toBeGreaterThan(10);
  for (const [path, { integrity }] of shipped) expect(integrity, path).toMatch(/^sha512-/);
});

test('without a digest are only optional ones that build ours', () => {
  const bare = all.filter(([, { integrity }]) => integrity === undefined);
  for (const [path, { dev, optional }] of bare)
    expect([path, dev, optional]).toEqual([path, true, true]);
});

test('licences and install scripts are those that are named', () => {
  const licences = [...new Set(shipped.map(([, { license = '' }]) => license))].toSorted();
  const scripts = shipped.filter(([, one]) => one.hasInstallScript === true).map(([path]) => path);
  expect(read('SECURITY.md')).toContain(`these licences: ${licences.join(', ')}.`);
  expect(scripts).toEqual(['node_modules/classic-level']);
});
