import type { ComponentChild } from 'preact';
import { useLane } from '../lane/use-lane.ts';
import { number } from '../told/history.ts';
import { rangesOf } from '../told/ranges.ts';
import type { Change } from '../told/wire.ts';
import { look, lookAt } from './look.ts';

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
  const lane = useLane();
  return (
    <button
      type="button"
      class="name"
      onClick={() =>
        void look(lane, {
          title: `Mentions of ${name}`,
          route: 'named',
          asked: { seq, of: name },
          words: [name],
        })
      }
    >
      {name}
    </button>
  );
}

/** Entries by their ids, those in a row as one range; a click shows them. */
export const Refs = ({ ids }: { readonly ids: readonly string[] }): ComponentChild =>
  rangesOf(ids).map((range) => <Ref key={range} of={range} />);

/** An id or a range of them; a click shows its entries. */
export function Ref({ of }: { readonly of: string }): ComponentChild {
  const lane = useLane();
  return (
    <button type="button" class="ref spaced" onClick={() => lookAt(lane, of)}>
      {of}
    </button>
  );
}
