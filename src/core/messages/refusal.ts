import { readOnce } from '../values/read-once.ts';
import { textOf, type ToolMessage } from './message.ts';

// A person who is asked whether a call may be made can refuse it, and say what to do
// instead. Hosts answer the call in the person's place, in fixed phrases at the start
// of a result that is an error, with the words behind:
//
//   The user doesn't want to proceed with this tool use. … the user said:
//   add it to the map first

/** What hosts answer for a person who refused. */
const refused =
  /^\s*(?:Error: )?The user (?:doesn't want to (?:proceed|take)|(?:has )?(?:rejected|denied|declined)|chose not to)\b/i;

/** What comes before the words of the person, near the start. */
const lead = /\b(?:the user said|feedback)\s*:\s*(?:<feedback>)?/i;

/** What a host says in the place of a person who answered no question but asks back. */
const asksBack = /^The user wants to clarify these questions\b/;

/** How far from the start that may be, in UTF-16 units. */
const reach = 400;

/** How a line says that a person refused a call. */
export const refusedCall = ' was refused by the user (as its result says)';

/** What a person said who refused a call; '' where there are no words, null where the call was not refused. */
export const refusalIn: (result: ToolMessage) => string | null = readOnce(
  (result: ToolMessage): string | null => {
    if (result.isError !== true) return null;
    const said = textOf(result.content);
    if (!refused.test(said.slice(0, reach))) return null;
    const match = lead.exec(said.slice(0, reach));
    if (match === null) return '';
    const words = said
      .slice(match.index + match[0].length)
      .split('</feedback>', 1)[0]!
      .trim();
    return asksBack.test(words) ? '' : words;
  },
);
