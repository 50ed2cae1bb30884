import type { ComponentChild } from 'preact';
import { useLane } from '../lane/use-lane.ts';
import { number } from '../model/words/amounts.ts';
import { rangesOf } from '../model/ranges.ts';
import type { NamesOfKind } from '../model/wire.ts';
import { lookAt, lookForName } from './look.ts';

/** How many names of some kinds there are. */
export const countOf = (kinds: readonly NamesOfKind[]): number =>
  kinds.reduce((sum, { names }) => sum + names.length, 0);

/** Names by their kind; folded where they are more than `most`. */
export function Names(props: {
  readonly kinds: readonly NamesOfKind[];
  readonly seq: number;
  readonly title: string;
  readonly most?: number;
}): ComponentChild {
  const { kinds, seq, title, most = 40 } = props;
  if (kinds.length === 0) return null;
  return (
    <details class="names" open={countOf(kinds) <= most}>
      <summary>
        {title} <b>{number(countOf(kinds))}</b>
      </summary>
      <dl class="lost">
        {kinds.map(({ kind, names }) => (
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

/** A name; a click finds where it was said. */
function Name({ name, seq }: { readonly name: string; readonly seq: number }): ComponentChild {
  const lane = useLane();
  return (
    <button type="button" class="name" onClick={() => void lookForName(lane, name, seq)}>
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
