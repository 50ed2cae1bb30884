import type { Bodies } from '../messages/bodies.ts';
import { countOf, type ChildCount } from '../frames/path-children.ts';
import { longestBrief, type Frame, type Harvested, type Results } from '../frames/frame.ts';
import { entryId } from '../values/id.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { indented } from '../text/sanitize.ts';
import { element, tag, tagless } from '../text/xml.ts';

// One child of a frame of the path, as it stands in the tree.

/** How much of a child is shown: with its results (of a planned one its criteria) as they are, with their brief, or its title alone. */
export type ChildForm = 'whole' | 'brief' | 'line';

/** How a child ends that is no title alone. */
export const childEnd = '</child>';

/** What stands around a list of titles. */
export const titlesTags = ['<titles>', '</titles>'] as const;

/** Whether the line of a frame is one of a list of titles, not an element of its own. */
export const isTitleLine = ({ status }: Frame): boolean =>
  status === 'completed' || status === 'failed' || status === 'blocked';

/** One child of the path, on one line unless its results have several; cached, since few frames change. */
export function childLine(child: Frame, form: ChildForm, bodies: Bodies): string {
  const cached = cachedLines[form].get(child);
  if (cached !== undefined) return cached;
  const line = lineOf(child, form, bodies);
  cachedLines[form].set(child, line);
  return line;
}

const cachedLines: Readonly<Record<ChildForm, WeakMap<Frame, string>>> = {
  whole: new WeakMap(),
  brief: new WeakMap(),
  line: new WeakMap(),
};

function lineOf(child: Frame, form: ChildForm, bodies: Bodies): string {
  const { results, reason, status } = child;
  if (form === 'line' && isTitleLine(child))
    return `${child.id} ${tagless(oneLine(child.title))}${status === 'completed' ? '' : ` (${status})`}`;
  const entries = form === 'line' && status !== 'planned' ? rangeOf(countOf([child])) : undefined;
  const retryOf = child.retryOf ?? undefined;
  const open = tag('child', { id: child.id, status, entries, 'retry-of': retryOf });
  const isShown = form !== 'line' && results !== null;
  // Where a frame was left without a reason of its own, its results are that.
  const why = isShown && reason === results.brief ? null : reason;
  const inside = [
    element('title', child.title),
    status === 'planned' && form !== 'line' ? criteriaElement(child, form === 'whole') : '',
    ...(isShown ? resultElements(results, form === 'whole' ? bodies : null) : []),
    form !== 'line' || status === 'invalidated' ? element('reason', why ?? '') : '',
  ];
  return `${open}${inside.join('')}${childEnd}`;
}

/** Results, decisions and artifacts: all of them, or as brief as fits a line where there are no bodies. */
function resultElements(results: Results, bodies: Bodies | null): readonly string[] {
  const { decisions, artifacts, failing = [], tokens } = results;
  const failed = block(tag('failing', { when: 'left', from: 'log' }), headOf(failing, '; '));
  const list = (name: Harvested, content: string): string => {
    const from = results.harvested?.includes(name) === true ? 'log' : undefined;
    return content === '' ? '' : block(tag(name, { from }), content);
  };
  if (bodies !== null)
    return [
      block(tag('results', {}), bodies.text(results.text)),
      failed,
      list('decisions', decisions.join('; ')),
      list('artifacts', artifacts.join(', ')),
    ];
  const cut = tokens > longestBrief ? `${tokens} tokens` : undefined;
  return [
    block(tag('results', { whole: cut }), results.brief),
    failed,
    list('decisions', headOf(decisions, '; ')),
    list('artifacts', headOf(artifacts, ', ')),
  ];
}

/** Most characters of a list that is not shown whole. */
const longestList = 240;

/** The head of a list on one line, and how many more there are. */
function headOf(list: readonly string[], separator: string): string {
  let length = 0;
  const first = list.findIndex((item) => (length += item.length + separator.length) > longestList);
  if (first < 0) return list.join(separator);
  const head = list.slice(0, Math.max(1, first)).map((item) => clip(item, longestList));
  const more = list.length - head.length;
  return [...head, ...(more > 0 ? [`… ${more} more`] : [])].join(separator);
}

/** What a frame is to bring, as it is or in brief. */
export const criteriaElement = ({ criteria, brief }: Frame, isWhole: boolean): string =>
  block(tag('success-criteria', {}), isWhole ? criteria || brief : brief);

/** What stands for the entries of a frame above the active one. */

/** An element over its lines, without tags in what it holds; nothing for nothing. */
export function block(open: string, content: string): string {
  const name = /\w[\w-]*/.exec(open)![0];
  if (content.trim() === '') return '';
  const text = indented(tagless(content));
  return content.includes('\n') ? `${open}\n  ${text}\n</${name}>` : `${open}${text}</${name}>`;
}

/** The entries of some frames as a range; undefined for none. */
export function rangeOf({ span }: ChildCount): string | undefined {
  return span === null ? undefined : `${entryId(span[0])}–${entryId(span[1])}`;
}
