import type { ComponentChild } from 'preact';
import { number } from './told/history.ts';
import { rangesOf } from './told/ranges.ts';
import { look, lookAt } from './store.ts';
import type { Change } from './told/wire.ts';

/** Names that a prompt does not hold, by their kind; folded where they are many. */
export function LostNames(given: {
  readonly lost: Change['lost'];
  readonly seq: number;
  readonly title: string;
}): ComponentChild {
  const { lost, seq, title } = given;
  if (lost.length === 0) return null;
  const count = lost.reduce((sum, { names }) => sum + names.length, 0);
  return (
    <details open={count <= 40}>
      <summary>{title}</summary>
      <dl class="lost">
        {lost.map(({ kind, names }) => (
          <div key={kind}>
            <dt>
              {kind} <span class="quiet">{number(names.length)}</span>
            </dt>
            <dd>
              {names.map((name) => (
                <Name key={name} name={name} seq={seq} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** A name that is gone; a click finds where it was said. */
function Name({ name, seq }: { readonly name: string; readonly seq: number }): ComponentChild {
  return (
    <button
      type="button"
      class="name"
      onClick={() =>
        void look(`Said of ${name}`, `/api/named?seq=${seq}&of=${encodeURIComponent(name)}`, [name])
      }
    >
      {name}
    </button>
  );
}

/** Entries by their ids, those in a row as one range; a click shows them. */
export const Refs = ({ ids }: { readonly ids: readonly string[] }): ComponentChild =>
  rangesOf(ids).map((range) => (
    <button key={range} type="button" class="ref spaced" onClick={() => lookAt(range)}>
      {range}
    </button>
  ));
