import { indented } from './sanitize.ts';

/** Text made safe between XML tags. */
export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** An element, its lines but the first indented; '' without content. */
export function element(name: string, content: string): string {
  return content === '' ? '' : `<${name}>${indented(escapeText(content))}</${name}>`;
}

/** An opening tag; attributes that are undefined are left out. */
export function tag(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
): string {
  const parts = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeText(value).replace(/"/g, '&quot;')}"`],
  );
  return `<${name}${parts.join('')}>`;
}
