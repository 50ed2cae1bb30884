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

/** Most lines above a function in which its type is looked for. */
const mostAbove = 1_000;

/** The type of a method that its line names; '' for none. */
const receiverIn = (line: string): string =>
  line.startsWith('func (') ? (receiver.exec(line)?.[1] ?? '') : '';

/** The type that a function at a line stands in; '' for none that is shown. */
function typeAround(lines: readonly string[], at: number): string {
  const depth = indentOf(lines[at]!);
  if (depth === 0) return '';
  for (let above = at - 1; above >= 0 && at - above < mostAbove; above -= 1) {
    const head = lines[above]!;
    if (head.trim() !== '' && indentOf(head) < depth)
      return container.exec(head)?.groups?.['name'] ?? '';
  }
  return '';
}

/** The text of a function, as far as its parameters. */
const isFunction = /^[^={]*\(/;

/** The types of functions, by their places: where a line names it itself, and where several types have a function of that name. */
export function ownersOf(
  found: readonly { readonly one: Named; readonly at: number }[],
  lines: readonly string[],
): ReadonlyMap<number, string> {
  const alike = new Map<string, number[]>();
  const owners = new Map<number, string>();
  for (const { one, at } of found) {
    const named = receiverIn(lines[at]!);
    if (named !== '') owners.set(at, named);
    else if (isFunction.test(one.text)) {
      const places = alike.get(one.name);
      if (places === undefined) alike.set(one.name, [at]);
      else places.push(at);
    }
  }
  for (const places of alike.values()) {
    const own = places.length < 2 ? [] : places.map((at) => typeAround(lines, at));
    if (new Set(own).size > 1) places.forEach((at, index) => owners.set(at, own[index]!));
  }
  return owners;
}
