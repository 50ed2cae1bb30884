// Whether two texts of a goal are about the same work. “Write the log-in page” is the work of the
// milestone “Log-in”; what comes after that, like “test the log-in” or “write the log-in docs”, is not.

/** A text without case, punctuation and repeated white space. */
const normalized = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether two texts say the same, but for case and punctuation. */
export const saysSame = (text: string, other: string): boolean =>
  text === other || (normalized(text) !== '' && normalized(text) === normalized(other));

/** Whether two milestones are one, however they are written: "Log-in" and "log-in.", but not "C#" and "C++". */
export const isSameMilestone = (text: string, other: string): boolean =>
  text === other || writtenForm(text) === writtenForm(other);

const writtenForm = (text: string): string =>
  text
    .trim()
    .replace(/[.!]{1,3}$/, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** What says that a thing is to be done. */
const doing =
  /^(?:(?:now|then|next|first|to) )?(?:(?:begin|start|continue|finish|complete|do|work|build|write|implement|add|create|make|set up) (?:with |on )?)?(?:the |an? )?/;

/** What may stand behind the name of a thing without being more work: one word that is no work after it. */
const part =
  /^(?: (?!tests?$|specs?$|docs?$|documentation$|reviews?$|changelog$|benchmarks?$)\S+)?$/;

/** Whether a next step only says that a milestone is to be done. */
export function isWorkOf(step: string, milestone: string): boolean {
  const [said, named] = [normalized(step), normalized(milestone)].map((text) =>
    text.replace(doing, ''),
  ) as [string, string];
  return named !== '' && said.startsWith(named) && part.test(said.slice(named.length));
}
