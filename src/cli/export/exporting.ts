import type { Session, Store } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import type { LeftOut } from '../sessions/left-out.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** What every form of an export is given. */
export interface Exporting {
  readonly call: CommandCall;
  readonly store: Store;
  readonly session: Session;
  /** What is taken out of each text. */
  readonly secrets: Secrets;
  /** Hears of entries that cannot be read. */
  readonly leftOut: LeftOut;
  /** Whether what was said goes into a form that else has ids, counts and times alone. */
  readonly withContent: boolean;
  /** The window in which a page shows it beside its own, in tokens. */
  readonly window?: number | undefined;
  /** Hears in words of what is not in it as it was said. */
  readonly remark: (text: string) => void;
}
