import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { roomsOf } from '../rooms.ts';

// The pages lead to each other and into the source: every link to a file of the project has a
// target, every anchor a heading, every path that a page names is there, and the README's list has
// every page of docs/.

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const docs = readdirSync(fileURLToPath(new URL('docs', root)))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`);
const pages = ['README.md', 'CONTRIBUTING.md', 'examples/README.md', ...docs];

/** A page without its code. */
const prose = (page: string): string => read(page).replace(/^```[^]*?^```$/gm, '');

/** Targets of a page's links, but for those that leave the project. */
const linksOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** What is wrong with a link, or null. */
function faultOf(page: string, target: string): string | null {
  const [path = '', anchor] = target.split('#');
  const file = new URL(path, new URL(page, root));
  const to = path === '' ? page : file.href.slice(root.href.length);
  if (!existsSync(new URL(to, root))) return `${target} leads nowhere`;
  if (anchor === undefined || anchorsOf(to).includes(anchor)) return null;
  return `${target} names no heading`;
}

test.each(pages)('every link of %s leads somewhere', (page) => {
  const faults = linksOf(page).flatMap((target) => faultOf(page, target) ?? []);
  expect(faults).toEqual([]);
});

/** Paths in a page, without those of the projects that its examples tell of. */
const pathsOf = (page: string): readonly string[] =>
  (
    read(page)
      .replace(/^```(?:ts|typescript|jsonl?|xml|screen)\n[^]*?^```$/gm, '')
      .match(/(?<![\w./~-])(?:src|machines|test|tools|scripts|examples)\/[\w./-]*\w\/?/g) ?? []
  ).filter((path) => !path.startsWith('src/auth/'));

// The table of the seeds names tests as test/docs/seeds.test.ts reads them.
test.each(pages.filter((page) => page !== 'docs/seeds.md'))(
  'every file that %s names is there',
  (page) => {
    expect(pathsOf(page).filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  },
);

test('each station of docs/architecture.md is a name of its file', () => {
  const stations = [...read('docs/architecture.md').matchAll(/^\| `(\w+)` \| `(\S+\.ts)` \|/gm)];
  expect(stations.length).toBeGreaterThan(20);
  const missing = stations.filter(
    ([, name, file]) =>
      !new RegExp(`^export (?:async )?(?:function|class|const) ${name}\\b`, 'm').test(read(file!)),
  );
  expect(missing.map(([row]) => row)).toEqual([]);
});

test.each(['core', 'engine'])('docs/architecture.md has every room of src/%s, in order', (name) => {
  const [, table] = read('docs/architecture.md').split(`| room of \`src/${name}\` |`);
  const rows = table!.split('\n\n')[0]!.matchAll(/^\| ([^|]+) \|/gm);
  const rooms = [...rows].flatMap(([, cell]) => cell!.match(/[a-z][a-z-]+/g) ?? []);
  expect(rooms).toEqual(roomsOf(`src/${name}/`));
});

test('the README leads to every page of docs', () => {
  const linked = linksOf('README.md').map((target) => target.split('#')[0]!);
  expect(docs.filter((page) => !linked.includes(page))).toEqual([]);
});
