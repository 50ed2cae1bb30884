import { clip } from '../text/sentences.ts';
import type { Definition } from './definitions.ts';

// What a file describes for a cluster: each thing by its kind and name, with what tells it
// from others. The rest of it is the same in any such file.
//
//   Deployment shop-reader (PORT=8080, image shop:1.4); Ingress shop-reader (host a.shop.io)

/** Longest thing with what tells it from others, in UTF-16 units. */
const longest = 200;

/** What stands in the text of a thing: its kind, its name, and what tells it from others. */
const kind = /^kind: ["']?(\w+)/m;
const named = /^metadata:\n(?: .*\n)*? {2}name: ["']?([\w.-]+)/m;
const details: readonly (readonly [RegExp, (found: RegExpMatchArray) => string])[] = [
  [/^[ \t]{0,40}(?:- )?image: ["']?(\S+?)["']?$/gm, ([, image]) => `image ${image}`],
  [/^[ \t]{0,40}- host: ["']?(\S+?)["']?$/gm, ([, host]) => `host ${host}`],
  [/^[ \t]{0,40}schedule: ["']?(.{1,40}?)["']?$/gm, ([, time]) => `schedule ${time}`],
  [
    /^[ \t]{0,40}- name: ["']?(\w+)["']?\n[ \t]{1,40}value: ["']?(.{1,48}?)["']?$/gm,
    ([, name, value]) => `${name}=${value}`,
  ],
];

/** Whether a text describes things for a cluster. */
export const isManifest = (text: string): boolean => /^apiVersion: /m.test(text) && kind.test(text);

/** The things that a text describes, each known by its kind and name. */
export const manifestsIn = (text: string): readonly Definition[] =>
  text.split(/^---.*$/m).flatMap((part): readonly Definition[] => {
    const what = kind.exec(part)?.[1];
    const name = named.exec(`${part}\n`)?.[1];
    if (what === undefined || name === undefined) return [];
    // Short ones first, so that the most of them stand.
    const traits = details
      .flatMap(([form, tell]) => Array.from(part.matchAll(form), tell))
      .toSorted((a, b) => a.length - b.length);
    const more = traits.length === 0 ? '' : ` (${[...new Set(traits)].join(', ')})`;
    return [{ name: `${what}/${name}`, text: clip(`${what} ${name}${more}`, longest), value: '' }];
  });
