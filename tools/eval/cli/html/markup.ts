import { clean } from '../../../../src/cli/paper/clean.ts';
import { escapeText } from '../../../../src/viewer/lone-document.ts';

/** Markup that stands in a page as it is. */
export interface Markup {
  readonly markup: string;
}

/** What stands in markup: a text as text, whatever is in it; markup as markup, one after the other. */
type Part = string | number | Markup | readonly Markup[];

/** Markup as it is written here, with parts that come from elsewhere. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: texts
    .map((text, index) => (index === 0 ? text : toText(parts[index - 1]!) + text))
    .join(''),
});

/** No markup. */
export const nothing: Markup = { markup: '' };

function toText(part: Part): string {
  if (typeof part === 'number') return String(Math.round(part * 100) / 100);
  if (typeof part === 'string') return escapeText(clean(part));
  return 'markup' in part ? part.markup : part.map((one) => one.markup).join('');
}
