/** A move of an actor, as the page is sent it: an `Inspection`, on the other side of the wire. */
export interface Move {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly parent?: string;
  readonly machine: string;
  readonly version: string;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
  readonly from: string | null;
  readonly value: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly asked?: readonly string[];
  readonly emitted?: readonly string[];
}
