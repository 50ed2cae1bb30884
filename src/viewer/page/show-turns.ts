import { options } from 'preact';
import { withSeenTurns } from './turns.ts';

/** What of an element is read or heard beside its text. */
const textAttributes = ['title', 'aria-label', 'aria-valuetext', 'label'] as const;

/** Lets the turns of all texts be seen that are drawn from now on, whichever part of the page draws them. */
export function showTurns(): void {
  const before = options.vnode?.bind(options);
  options.vnode = (node) => {
    before?.(node);
    // A text is a node without a type, whose properties are the text.
    const drawn = node as { type: unknown; props: unknown };
    if (typeof drawn.props === 'string') drawn.props = withSeenTurns(drawn.props);
    else if (typeof drawn.type === 'string') seeTurns(drawn.props as Record<string, unknown>);
  };
}

function seeTurns(props: Record<string, unknown>): void {
  for (const name of textAttributes) {
    const text = props[name];
    if (typeof text === 'string') props[name] = withSeenTurns(text);
  }
}
