import type { ComponentChild } from 'preact';
import { number } from '../model/words/amounts.ts';

/** A size, by what it is called. */
export interface NamedSize {
  readonly name: string;
  /** What its color stands for. */
  readonly kind: 'before' | 'after' | 'counted';
  /** In tokens. */
  readonly tokens: number;
}

/** Two sizes on one scale, and by how much the second one is less. */
export function Bars({ of }: { readonly of: readonly [NamedSize, NamedSize] }): ComponentChild {
  const [first, second] = of;
  const most = Math.max(1, first.tokens, second.tokens);
  const less = Math.round((1 - second.tokens / Math.max(1, first.tokens)) * 100);
  return (
    <dl class="bars">
      {of.map(({ name, kind, tokens }) => (
        <>
          <dt>{name}</dt>
          <dd class="bar">
            <i class={kind} style={{ width: `${(tokens / most) * 100}%` }} />
          </dd>
          <dd>{number(tokens)}</dd>
          <dd>{kind !== 'before' && <b>{less >= 0 ? `−${less} %` : `+${-less} %`}</b>}</dd>
        </>
      ))}
    </dl>
  );
}
