import { useSignal } from '@preact/signals';

/** What a group of buttons takes to be one stop of the tab key. */
export interface Roving {
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocusOut: (event: FocusEvent) => void;
  readonly onMouseDown: (event: MouseEvent) => void;
  /** What a button of the group takes. */
  readonly of: (id: string) => { readonly tabIndex: 0 | -1; readonly onFocus: () => void };
}

/** Makes a group of buttons, by their ids in order, one stop of the tab key, at `wanted` unless another has the focus: arrows, home and end go from one to the next. */
export function useRoving(ids: readonly string[], wanted: string | undefined): Roving {
  const focused = useSignal<string | null>(null);
  const stop = [focused.value, wanted].find((id) => id != null && ids.includes(id)) ?? ids[0];
  return {
    onKeyDown(event) {
      const group = event.currentTarget as Element;
      const buttons = [...group.querySelectorAll('button')];
      const at = buttons.indexOf(event.target as HTMLButtonElement);
      const to = { ...arrows(at), Home: 0, End: buttons.length - 1 }[event.key];
      if (at === -1 || to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      buttons[Math.min(Math.max(0, to), buttons.length - 1)]!.focus();
    },
    onFocusOut({ currentTarget, relatedTarget }) {
      if (!(currentTarget as Element).contains(relatedTarget as Node | null)) focused.value = null;
    },
    // A click leaves the keys to the playhead.
    onMouseDown: (event) => event.preventDefault(),
    of: (id) => ({
      tabIndex: id === stop ? 0 : -1,
      onFocus: () => (focused.value = id),
    }),
  };
}

const arrows = (at: number): Record<string, number> => ({
  ArrowRight: at + 1,
  ArrowDown: at + 1,
  ArrowLeft: at - 1,
  ArrowUp: at - 1,
});
