import { indented, untagged } from './sanitize.ts';

/** Text made safe between our tags: in its own words, but for what could be taken for one of them. */
export const tagless = (text: string): string => untagged(text).replace(/<!--/g, '‹!--');

/** Text made safe in an attribute. */
const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** An element, its lines but the first indented; '' without content. */
export function element(name: string, content: string): string {
  return content === '' ? '' : `<${name}>${indented(tagless(content))}</${name}>`;
}

/** An opening tag; attributes that are undefined are left out. */
export function tag(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
): string {
  const parts = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(value)}"`],
  );
  return `<${name}${parts.join('')}>`;
}
