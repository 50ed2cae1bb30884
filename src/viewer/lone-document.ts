import { createHash } from 'node:crypto';

// A page as one file, which needs no server and asks nobody for anything: its policy lets nothing run and nothing
// look but what stands in it, by digest.

/** What a lone document has beside what it says. */
export interface LoneDocument {
  readonly title: string;
  /** Its one style. */
  readonly style: string;
  /** Its one script; none unless given. */
  readonly code?: string;
}

/** The beginning of a document of its own, in whose head there is room for more; the style and the code must not end their element. */
export function loneHead({ title, style, code }: LoneDocument): string {
  const policy = [
    "default-src 'none'",
    ...(code === undefined ? [] : [`script-src '${digest(code)}'`]),
    `style-src '${digest(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    ...(code === undefined ? [] : ["require-trusted-types-for 'script'"]),
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Flamestack">
<title>${escapeText(title)} · Flamestack</title>
<link rel="icon" href="data:,">
<style>${style}</style>
`;
}

/** A text as it stands between tags, or as the value of an attribute. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

const digest = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;
