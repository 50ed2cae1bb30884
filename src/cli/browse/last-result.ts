/** A function that gives its last result again as long as it is given the same arguments: a frame is drawn at each key, and most of it is as it was. */
export function lastResult<Args extends readonly unknown[], Result>(
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  let last: { readonly args: Args; readonly result: Result } | null = null;
  return (...args) => {
    const isSame =
      last !== null &&
      last.args.length === args.length &&
      last.args.every((one, index) => Object.is(one, args[index]));
    if (!isSame) last = { args, result: make(...args) };
    return last!.result;
  };
}
