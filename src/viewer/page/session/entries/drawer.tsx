import type { ComponentChildren, ComponentChild } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What opens at the right of the page: the focus goes into it, and back where it was when it closes. */
export function Drawer(props: {
  readonly title: string;
  /** What it is about, in a line below its title. */
  readonly about?: string;
  /** What stands beside its title. */
  readonly beside?: ComponentChild;
  readonly kind?: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}): ComponentChild {
  const { title, about = '', beside, kind = '', close, children } = props;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => (box.current?.querySelector('input') ?? box.current)?.focus(), [title, about]);
  return (
    <aside class={`looked ${kind}`} role="dialog" aria-label={title} tabIndex={-1} ref={box}>
      <header>
        <h2 title={title}>{title}</h2>
        {beside}
        <button type="button" class="close" title="Close (Esc)" onClick={close}>
          close
        </button>
        {about !== '' && <p class="about quiet">{about}</p>}
      </header>
      {children}
    </aside>
  );
}
