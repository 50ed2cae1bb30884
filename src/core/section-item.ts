import { plain } from './decision.ts';

// How models write the items of a section. Nothing here changes what is shown;
// it is what a checkpoint keeps beside its text.

/** An item without bullet, number, empty box and bold marks; '' where it says that there is none. */
export function itemOf(line: string): string {
  const item = plain(line)
    .replace(/^\[ \]\s+/, '')
    .replace(/(?<![\w/*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*(?![\w/*])/g, '$1')
    .trim();
  return nothing.test(item) ? '' : item;
}

/** "None.", "(none so far)", "No open questions at this time." */
const nothing =
  /^\(?(?:none|n\/a|nothing|not applicable|no (?:\w+ ){0,2}(?:questions|steps|decisions|findings|files|changes|problems|issues|errors|items))(?: (?:yet|so far|here|at this time|mentioned|identified|reported|remaining|made|changed|noted|found))*[.)]*$|^[^\p{L}\p{N}]*$/iu;

/** The files that an item names before it says what became of them. */
export function filesIn(item: string): readonly string[] {
  const lead = (/^.*?(?=:\s|\s[-–—(]|$)/.exec(item.replace(verb, ''))?.[0] ?? item).trim();
  const marked = [...lead.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? []);
  const names = marked.length > 0 ? marked : lead.split(/,\s+|\s+and\s+/);
  return names.map((name) => name.trim()).filter((name) => /^[^\s`*]*[./][^\s`*]*$/.test(name));
}

const verb = /^(?:newly )?(?:created|modified|changed|added|updated|edited|new|wrote)\b:?\s+/i;
