import { loneHead } from '../../../../src/viewer/lone-document.ts';
import { markup, type Markup } from './markup.ts';
import { style } from './style.ts';

/** A report as a file of its own, which runs nothing and asks nobody. */
export function documentOf(title: string, content: Markup): string {
  const body = markup`</head>
<body>
<main>
${content}<footer>Measured by <code>npm run eval</code>, without a model; <code>docs/evaluation.md</code> says how.</footer>
</main>
</body>
</html>
`;
  return loneHead({ title, style }) + body.markup;
}

/** Words and what they mean. */
export const words = (list: readonly (readonly [word: string, about: string])[]): Markup =>
  markup`<dl>${list.map(
    ([word, about]) => markup`<dt>${word}</dt><dd>${about}</dd>
`,
  )}</dl>`;
