import type { JsonSchema } from '../../core/messages/tool-spec.ts';
import { itemText } from '../../core/text/sections.ts';
import { isObject, jsonOf } from '../server/json-fields.ts';

// The sections of a model's summary. `sectionsOf` reads decisions, files, next
// steps and questions back from these heads; on the second attempt the model
// fills a JSON form instead, and the same sections are printed from it.

/** A section that a model is asked for. */
export interface AskedSection {
  /** In the JSON form. */
  readonly key: string;
  readonly head: string;
  /** What belongs there, in words for the model. */
  readonly about: string;
}

const decisions: AskedSection = {
  key: 'decisions',
  head: 'Findings and decisions',
  about: 'what was found out or decided, and why',
};
const progress: AskedSection = {
  key: 'progress',
  head: 'Progress',
  about: 'what was finished; what is half done',
};
const files: AskedSection = {
  key: 'files',
  head: 'Files changed',
  about: 'full path, then a colon and what changed',
};
const problems: AskedSection = {
  key: 'problems',
  head: 'Problems',
  about: 'what still fails or blocks, with the exact error',
};
const next: AskedSection = { key: 'next', head: 'Next steps', about: 'what was planned' };
const questions: AskedSection = {
  key: 'questions',
  head: 'Open questions',
  about: 'what nobody has answered yet',
};

/** All sections; a short summary has the first of `few` only. */
export const sections: {
  readonly all: readonly AskedSection[];
  readonly few: readonly AskedSection[];
} = {
  all: [decisions, progress, files, problems, next, questions],
  few: [decisions, files, next],
};

/** The form that a summary of `target` tokens may be filled into. */
export function formOf(asked: readonly AskedSection[], target: number): JsonSchema {
  const maxItems = Math.min(12, Math.max(2, Math.floor(target / 90)));
  const list = {
    type: 'array',
    maxItems,
    items: { type: 'string', maxLength: target < 300 ? 100 : 160 },
  };
  return {
    type: 'object',
    properties: Object.fromEntries(asked.map(({ key }) => [key, list])),
    required: asked.map(({ key }) => key),
    additionalProperties: false,
  };
}

/** The sections out of a filled form, also of one that broke off between two items; null for anything else. */
export function printForm(text: string): string | null {
  const form = formIn(text) ?? formIn(`${text.slice(0, text.lastIndexOf('",') + 1)}]}`);
  if (form === null) return null;
  return sections.all
    .flatMap(({ key, head }) => {
      const items = itemsOf(form[key]);
      return items.length === 0 ? [] : [`${head}:`, ...items.map((item) => `- ${item}`)];
    })
    .join('\n');
}

function itemsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((item): item is string => typeof item === 'string')
    .map((item) =>
      item
        .replace(/\s+/g, ' ')
        .replace(/^(?:[-*+•] )+/, '')
        .trim(),
    )
    .filter((item) => itemText(item) !== '');
}

function formIn(text: string): Readonly<Record<string, unknown>> | null {
  const value = jsonOf(text);
  return isObject(value) ? value : null;
}
