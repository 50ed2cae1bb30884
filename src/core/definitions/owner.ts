import { indentOf } from '../text/indent.ts';

// Which type a function belongs to. Its name alone says that where no other type of the file
// has one of that name.

/** What a text defines: its name, and how it is told. */
interface Named {
  readonly name: string;
  readonly text: string;
}

/** The type that a method of Go belongs to. */
const receiver = /^func \((?:\w+ )?\*?(\w+)(?:\[[^\]]*\])?\) /;

/** A line that begins a type which holds functions; of an implementation the type that it is for. */
const container =
  /^\s*(?:(?:export|default|abstract|pub(?:\([a-z]+\))?|public|final|sealed|data|unsafe) )*(?:class|interface|struct|trait|object|protocol|(?<impl>impl)(?:<[^>]*>)?) +(?:[\w:]+(?:<[^>]*>)? for )?(?<name>\w+)/;

/** The type of a method that its line names; '' for none. */
const receiverIn = (line: string): string =>
  line.startsWith('func (') ? (receiver.exec(line)?.[1] ?? '') : '';

/** Finds the type that a function at a line stands in; '' for none that is shown. */
function typeFinder(lines: readonly string[]): (at: number) => string {
  const above = new Map<number, string>();
  const open: { readonly depth: number; readonly line: string }[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const depth = indentOf(line);
    while (open.length > 0 && open.at(-1)!.depth >= depth) open.pop();
    above.set(at, open.at(-1)?.line ?? '');
    open.push({ depth, line });
  }
  return (at) => container.exec(above.get(at) ?? '')?.groups?.['name'] ?? '';
}

/** The text of a function, as far as its parameters. */
const isFunction = /^[^={]*\(/;

/** The types of functions, by their places: where a line names it itself, and where several types have a function of that name. */
export function ownersOf(
  definitions: readonly { readonly one: Named; readonly at: number }[],
  lines: readonly string[],
): ReadonlyMap<number, string> {
  const alike = new Map<string, number[]>();
  const owners = new Map<number, string>();
  for (const { one, at } of definitions) {
    const named = receiverIn(lines[at]!);
    if (named !== '') owners.set(at, named);
    else if (isFunction.test(one.text)) {
      const places = alike.get(one.name);
      if (places === undefined) alike.set(one.name, [at]);
      else places.push(at);
    }
  }
  const several = [...alike.values()].filter(({ length }) => length > 1);
  if (several.length === 0) return owners;
  const typeOf = typeFinder(lines);
  for (const places of several) {
    const own = places.map(typeOf);
    if (new Set(own).size > 1) places.forEach((at, index) => owners.set(at, own[index]!));
  }
  return owners;
}
