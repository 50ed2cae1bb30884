import { signal } from '@preact/signals';

/** How wide a chart is on the screen, in pixels: all charts of the page are. */
export const plotWidth = signal(800);

/** Where a chart begins on the page, in pixels from its left edge. */
export const plotLeft = signal(0);

/** Keeps {@link plotWidth} and {@link plotLeft} in step with an element, as the ref of it. */
export function measured(element: HTMLElement | null): void {
  if (element !== null) observer.observe(element);
}

const observer = new ResizeObserver((all) => {
  const { width, left } = all.at(-1)!.target.getBoundingClientRect();
  if (width === 0) return;
  plotWidth.value = width;
  plotLeft.value = left + scrollX;
});

/** Width of a letter of the page, in pixels, about. */
const letter = 7;

/** Fewest letters of a title that tell anything. */
const fewest = 4;

/** Whether a bar of a share of the chart has room for one sign. */
export const hasSignRoom = (share: number): boolean => share * plotWidth.value >= 16;

/** Whether a bar of a share of the chart has room for letters of a title. */
export const hasRoom = (share: number): boolean =>
  share * plotWidth.value - 14 >= fewest * letter + letter;
