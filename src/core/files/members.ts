import { indentOf } from '../text/indent.ts';

// Fields that an edit brought to a type, or took from it, whose head it does not show: the
// type is the one that has the field beside them.
//
//    type Settings struct {        Settings { Port, Host }
//      Port int                    beside Port: + Telemetry
//   +  Telemetry *bool

/** Fields that came or went beside one that stays. */
export interface MembersChanged {
  readonly beside: string;
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/** How a field of a type stands in a line, by the endings of files; what gives a value to one stands otherwise. */
const forms: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\.go$/,
    /^\t+(?!(?:return|var|if|for|defer|go|case|type|func|const|goto|switch|else|range|package|import)\b)(\w+) {1,40}(?:[*[\]\w.]|\bmap\[)[^(){}=:,;`]{0,80}(?:`[^`]*`)?(?: *\/\/.*)?$/,
  ],
  [
    /\.[cm]?tsx?$/,
    /^\s+(?!(?:default|case)\b)(?:readonly )?(\w+)\??: [^=,(]{1,120};(?: *\/\/.*)?$/,
  ],
  [
    /\.py$/,
    /^ +(?!(?:else|try|finally|lambda)\b)([a-z_]\w*): [\w[\]., |"']{1,80}(?<![,:])(?: = .*)?$/,
  ],
  [/\.rs$/, /^\s+pub(?:\([a-z]+\))? ([a-z_]\w*): [^=]{1,120},$/],
];

/** Lines around a field in which the one beside it is looked for. */
const near = 4;

/** The fields that the changed lines of a file name, each group beside the nearest one that stays. */
export function membersChanged(
  path: string,
  shown: {
    readonly old: readonly string[];
    readonly fresh: readonly string[];
    readonly around: { readonly before: string; readonly after: string };
  },
): readonly MembersChanged[] {
  const form = forms.find(([ending]) => ending.test(path))?.[1];
  if (form === undefined) return [];
  const nameIn = (line: string): string => form.exec(line)?.[1] ?? '';
  const added = besideIn(shown.around.after, shown.fresh, nameIn);
  const gone = besideIn(shown.around.before, shown.old, nameIn);
  return [...new Set([...added.keys(), ...gone.keys()])].map((beside) => {
    const [came, went] = [added.get(beside) ?? [], gone.get(beside) ?? []];
    return { beside, added: came, gone: went.filter((name) => !came.includes(name)) };
  });
}

/** The names of changed lines of a text by the name of the nearest line that is not changed and stands as deep. */
function besideIn(
  text: string,
  changed: readonly string[],
  nameIn: (line: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  const isChanged = new Set(changed);
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const name = isChanged.has(line) ? nameIn(line) : '';
    if (name === '') continue;
    const isBeside = (other: string | undefined): boolean =>
      other !== undefined &&
      !isChanged.has(other) &&
      indentOf(other) === indentOf(line) &&
      nameIn(other) !== '';
    const steps = Array.from({ length: near }, (_, step) => [at - step - 1, at + step + 1]).flat();
    const beside = steps.map((place) => lines[place]).find(isBeside);
    if (beside === undefined) continue;
    const group = groups.get(nameIn(beside));
    if (group === undefined) groups.set(nameIn(beside), [name]);
    else group.push(name);
  }
  return groups;
}
