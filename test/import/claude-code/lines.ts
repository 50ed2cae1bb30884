/** Makers of the lines of a session file; each line has what `shared` has. */
export function linesOf(shared: { readonly sessionId: string; readonly timestamp?: string }) {
  /** A line at `place`: its uuid, and that of the line it follows: `b < a`. */
  const line = (place: string, rest: object) => {
    const [uuid, parentUuid = null] = place.split(' < ');
    return { uuid, parentUuid, isSidechain: false, ...shared, ...rest };
  };
  return {
    line,
    user: (place: string, content: unknown, more: object = {}) =>
      line(place, { type: 'user', message: { role: 'user', content }, ...more }),
    model: (place: string, [id, ...content]: readonly [string, ...unknown[]], more: object = {}) =>
      line(place, { type: 'assistant', message: { id, role: 'assistant', content }, ...more }),
  };
}

export const text = (value: string) => ({ type: 'text', text: value });
