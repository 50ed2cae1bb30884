import { manyBreadcrumbs, mergeBreadcrumbs } from '../breadcrumbs/breadcrumb.ts';
import { ordinal } from '../values/id.ts';
import type { CheckpointDocument, FileChange } from './document.ts';
import type { ItemKind, ListItem } from './list-item.ts';

// Each document tells what changed since the one before it. Folded in their order
// they are one document of everything.

/** The documents of a session from the last one that tells all on, of any order in the file; none for none. */
function chainOf(documents: readonly CheckpointDocument[]): readonly CheckpointDocument[] {
  const first = documents.findLastIndex(({ after }) => after === '');
  return documents.slice(Math.max(0, first));
}

/** Documents of one session, oldest first, as one that tells all; undefined for none. */
export function foldDocuments(
  documents: readonly CheckpointDocument[],
): CheckpointDocument | undefined {
  const [first, ...later] = chainOf(documents);
  return first === undefined ? undefined : later.reduce(withNext, withNext(first, first));
}

/** What is told by then: all before, changed by the next document. */
function withNext(whole: CheckpointDocument, next: CheckpointDocument): CheckpointDocument {
  const isFirst = whole === next;
  const before = isFirst
    ? { ...whole, decisions: [], actions: [], files: [], breadcrumbs: [] }
    : whole;
  return {
    ...next,
    after: '',
    ...(next.isSameGoal ? { goal: whole.goal, asked: whole.asked, isSameGoal: isFirst } : {}),
    decisions: withItems(before.decisions, next.decisions),
    actions: inTree(withItems(before.actions, next.actions)),
    files: withFiles(before.files, next.files),
    breadcrumbs: mergeBreadcrumbs([before.breadcrumbs, next.breadcrumbs], manyBreadcrumbs),
    edited: [before.edited, isFirst ? '' : next.edited].filter((text) => text !== '').join('\n\n'),
  };
}

/** A document onto what was recovered: goal and frames stand in the session again, and are told by it alone. */
export function ontoRecovered(
  recovered: CheckpointDocument,
  next: CheckpointDocument,
): CheckpointDocument {
  const isOwn = ({ kind }: ListItem): boolean =>
    kind === undefined || kind.startsWith('frame') || kind.startsWith('milestone');
  const kept = {
    ...recovered,
    decisions: recovered.decisions.filter((item) => !isOwn(item)),
    actions: recovered.actions.filter((item) => !isOwn(item)),
  };
  const recoveredPaths = new Set(recovered.files.map(({ path }) => path));
  const isCovered = ({ path, change }: FileChange): boolean =>
    recoveredPaths.has(path) && (change === 'modified' || change === 'created');
  const merged = withNext(kept, { ...next, files: next.files.filter((file) => !isCovered(file)) });
  return { ...merged, status: next.status || recovered.status };
}

/** A document as the first entry of a session holds it: the ids of a log that is gone lead there. */
export function withoutReferences(document: CheckpointDocument): CheckpointDocument {
  const own = (text: string): string =>
    text.replace(/ \(e\d+(?:–e\d+)?\)/g, '').replace(/^- e\d+(?:–e\d+)? /gm, '- e1 ');
  const item = (one: ListItem): ListItem =>
    one.entry === undefined ? one : { ...one, entry: 'e1' };
  return {
    ...document,
    topic: own(document.topic),
    asked: document.asked === '' ? '' : 'e1',
    decisions: document.decisions.map(item),
    actions: document.actions.map(item),
    questions: document.questions.map(own),
    completed: own(document.completed),
    next: own(document.next),
    status: own(document.status),
    files: document.files.map(({ path, change }) => ({ path, change: own(change) })),
    breadcrumbs: document.breadcrumbs
      .filter(({ reference }) => !/^e\d+(?:–e\d+)?$/.test(reference))
      .map((row) => ({ ...row, entries: [] })),
  };
}

/** What an item is, beside what became of it: of a frame its id. */
function keyOf({ text, kind = 'withdrawn', frame, entry = '' }: ListItem): string {
  const family = kind.split(', ', 1)[0]!;
  if (family === 'frame') return `frame ${frame ?? text}`;
  const isSaid = family === 'noted' || family === 'directive' || family === 'commit';
  return `${family} ${isSaid ? entry : ''} ${text}`;
}

const isGone = (kind: ItemKind | undefined): boolean => kind?.endsWith('withdrawn') === true;

/** Items with those that changed in their place, and new ones at the end. */
function withItems(before: readonly ListItem[], next: readonly ListItem[]): readonly ListItem[] {
  const items = new Map(before.map((item) => [keyOf(item), item]));
  for (const item of next) {
    if (isGone(item.kind)) items.delete(keyOf(item));
    else items.set(keyOf(item), item);
  }
  return [...items.values()];
}

function withFiles(
  before: readonly FileChange[],
  next: readonly FileChange[],
): readonly FileChange[] {
  const files = new Map(before.map(({ path, change }) => [path, change]));
  for (const { path, change } of next) {
    const old = files.get(path);
    files.delete(path);
    const isNew = old?.startsWith('created') === true;
    files.set(path, isNew ? change.replace(/^(?:changed|modified)/, 'created') : change);
  }
  return [...files].map(([path, change]) => ({ path, change }));
}

/** Items with the frames that have ids in the order of the tree, each with its depth; those below a closed frame are gone. */
function inTree(items: readonly ListItem[]): readonly ListItem[] {
  const frameItems = items.filter(
    ({ frame, parent }) => frame !== undefined && parent !== undefined,
  );
  const children = new Map<string, ListItem[]>();
  for (const item of frameItems) {
    const siblings = children.get(item.parent!) ?? [];
    children.set(item.parent!, [...siblings, item]);
  }
  const walk = (parent: string, depth: number): readonly ListItem[] =>
    [...(children.get(parent) ?? [])]
      .sort((a, b) => ordinal(a.frame!) - ordinal(b.frame!))
      .flatMap((item) => {
        const { depth: _, ...rest } = item;
        const one = depth === 0 ? rest : { ...rest, depth };
        return [one, ...(item.kind === 'frame' ? walk(item.frame!, depth + 1) : [])];
      });
  const tree = walk('f0', 0);
  const place = items.findIndex((item) => frameItems.includes(item));
  const others = items.filter((item) => !frameItems.includes(item));
  return place < 0 ? items : [...others.slice(0, place), ...tree, ...others.slice(place)];
}
