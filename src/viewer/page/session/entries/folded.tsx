import { useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { whyUnread } from '../lane/source.ts';
import { useLane } from '../lane/use-lane.ts';
import type { WholeEntry } from '../model/wire.ts';
import type { Unread } from '../model/words/unread.ts';
import { lookAt } from './look.ts';
import { LongText } from './text.tsx';
import { Asking } from './waiting.tsx';

/** Entries, folded; opened they are read. */
export function Folded(props: {
  /** An id, or a range of them. */
  readonly of: string;
  /** How many there are, and in which form. */
  readonly form: string;
  readonly read: () => Promise<readonly WholeEntry[]>;
}): ComponentChild {
  const { of, form } = props;
  const lane = useLane();
  const [entries, setEntries] = useState<readonly WholeEntry[] | null>(null);
  const [unread, setUnread] = useState<Unread | null>(null);
  const read = async (): Promise<void> => {
    if (entries !== null) return;
    setUnread(null);
    await props.read().then(setEntries, (error: unknown) => setUnread(whyUnread(error)));
  };
  return (
    <details onToggle={(event) => event.currentTarget.open && void read()}>
      <summary>
        {of} <span class="quiet">{form}</span>
      </summary>
      {entries === null && <Asking unread={unread} />}
      {entries?.map(({ id, role, text }) => (
        <div key={id}>
          <p class="piece-head">
            <b>{role}</b>
            <button type="button" class="ref" onClick={() => lookAt(lane, id)}>
              {id}
            </button>
          </p>
          <LongText text={text} />
        </div>
      ))}
    </details>
  );
}
