/** A function that gives its last result again as long as it is given the same arguments: a frame is drawn at each key, and most of it is as it was. */
export function lastResult<Given extends readonly unknown[], Result>(
  make: (...given: Given) => Result,
): (...given: Given) => Result {
  let last: { readonly given: Given; readonly result: Result } | null = null;
  return (...given) => {
    const isSame =
      last !== null &&
      last.given.length === given.length &&
      last.given.every((one, index) => Object.is(one, given[index]));
    if (!isSame) last = { given, result: make(...given) };
    return last!.result;
  };
}
