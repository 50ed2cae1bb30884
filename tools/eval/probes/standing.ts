/** How the keys of a probe stand in a context: close together, all of them but apart, or not all. */
export type Standing = 'near' | 'apart' | 'missing';

/** Characters from the first key to each other one that still are close. */
const reach = 400;

/** A look at one context: how keys stand in it, small and capital letters alike. */
export function standingsIn(text: string): (keys: readonly (readonly string[])[]) => Standing {
  const low = text.toLowerCase();
  return (keys) => {
    const [first = [], ...others] = keys.map((spellings) =>
      spellings.flatMap((spelling) => placesOf(low, spelling.toLowerCase())),
    );
    if ([first, ...others].some(({ length }) => length === 0)) return 'missing';
    const isNear = first.some((from) =>
      others.every((places) => places.some((place) => Math.abs(place - from) <= reach)),
    );
    return isNear ? 'near' : 'apart';
  };
}

function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}
