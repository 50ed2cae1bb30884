import type { Bodies } from './body.ts';
import { follow, mergeBreadcrumbs, type Breadcrumb } from './breadcrumb.ts';
import { entryId } from './id.ts';
import { clip, oneLine } from './sentence.ts';
import type { State } from './state.ts';
import { path } from './tree.ts';
import type { View } from './view.ts';

/** Longest directive that is quoted, in UTF-16 units. */
const longest = 240;

/** The breadcrumbs of all checkpoints on the path to the active frame, and of what people said that is out of view. */
export function breadcrumbsOf(state: State, bodies: Bodies): readonly Breadcrumb[] {
  const lists = path(state.frames, state.active).flatMap(({ id }) => {
    const view = state.views.get(id);
    if (view === undefined) return [];
    const trails = view.checkpoints.map(({ breadcrumbs }) =>
      follow(breadcrumbs, (text) => bodies.text(text)),
    );
    return [...trails, offloadedOf(view)];
  });
  return mergeBreadcrumbs(lists, Number.POSITIVE_INFINITY);
}

function offloadedOf({ offloaded, quotes }: View): readonly Breadcrumb[] {
  if (offloaded === null) return [];
  const { from, to, entries } = offloaded;
  const range: Breadcrumb = {
    type: 'action',
    reference: from === to ? from : `${from}–${to}`,
    hint: `${entries} ${entries === 1 ? 'message' : 'messages'} of people, out of view`,
    entries: from === to ? [from] : [from, to],
  };
  const said = quotes.map(({ n, text }): Breadcrumb => ({
    type: 'decision',
    reference: entryId(n),
    hint: clip(oneLine(text), longest),
    entries: [entryId(n)],
  }));
  return [range, ...said];
}
