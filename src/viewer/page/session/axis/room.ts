import { signal } from '@preact/signals';

/** How wide a chart is on the screen, in pixels: all charts of the page are. */
export const plotWidth = signal(800);

/** Keeps {@link plotWidth} in step with an element, as the ref of it. */
export function measured(element: HTMLElement | null): void {
  if (element !== null) observer.observe(element);
}

const observer = new ResizeObserver(([one]) => {
  const { width = 0 } = one?.contentRect ?? {};
  if (width > 0) plotWidth.value = width;
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
