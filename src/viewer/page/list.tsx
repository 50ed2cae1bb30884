import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';

/** The height of a row, in pixels. */
const rowHeight = 24;

/** A list of any length, of which what is in sight is there; scrolls to `at`. */
export function LongList(props: {
  readonly length: number;
  /** The row that is to be in sight; -1 for none. */
  readonly at: number;
  readonly label: string;
  readonly row: (index: number) => ComponentChild;
}): ComponentChild {
  const { length, at, label, row } = props;
  const box = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState(0);
  const [height, setHeight] = useState(400);
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current!;
    if (at === -1) return;
    const [top, bottom] = [at * rowHeight, (at + 1) * rowHeight];
    const sight = element.scrollTop + element.clientHeight;
    if (top < element.scrollTop || bottom > sight)
      element.scrollTop = top - element.clientHeight / 2;
  }, [at, length === 0]);
  const first = Math.max(0, Math.floor(from / rowHeight) - 8);
  const last = Math.min(length, first + Math.ceil(height / rowHeight) + 16);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, n) => first + n);
  return (
    <div
      class="list"
      ref={box}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      onScroll={(event) => setFrom(event.currentTarget.scrollTop)}
    >
      <div class="list-all" style={{ height: `${length * rowHeight}px` }}>
        {rows.map((index) => (
          <div class="list-row" key={index} style={{ top: `${index * rowHeight}px` }}>
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
