import { readFile } from 'node:fs/promises';
import { loneHead } from './lone-document.ts';
import { withSeenTurns } from './page/turns.ts';
import type { KeptLine } from './page/session/model/kept.ts';

// The page of a session as one file, which needs no server and asks nobody for anything. What was said in
// the session is text in it, never markup or code: it stands as JSON in which no `<` is, and the policy
// lets nothing run but the one script whose digest it names.

/**
 * The page of a session, piece by piece, as a document of its own. Rejects where the page is not built.
 * `folder` is where it is; beside this file unless told.
 */
export async function* keptPage(
  lines: AsyncIterable<KeptLine>,
  title: string,
  folder: URL = new URL('./page/', import.meta.url),
): AsyncGenerator<string> {
  const read = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');
  const [script, ...styles] = await Promise.all(
    ['alone/session.js', 'page.css', 'session.css'].map(read),
  );
  const code = withoutEnd(script!, 'script');
  const style = withoutEnd(styles.join('\n'), 'style');
  yield `${loneHead({ title: withSeenTurns(title), style, code })}<script type="application/x-ndjson" id="kept">
`;
  for await (const line of lines) yield `${toInert(line)}\n`;
  yield `</script>
<script type="module">${code}</script>
</head>
<body><noscript>This page draws a session by its own script, which is switched off here.</noscript></body>
</html>
`;
}

/** A value as a line of JSON that is nothing else, wherever in a document it stands. */
const toInert = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A script or style of ours without what would end its element; throws where that cannot be said otherwise. */
function withoutEnd(text: string, element: 'script' | 'style'): string {
  const end = new RegExp(`</(?=${element})|<!--`, 'i');
  if (end.test(text)) throw new Error(`The ${element} of the page would end its element.`);
  return text;
}
