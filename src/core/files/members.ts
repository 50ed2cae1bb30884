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
  edit: {
    readonly old: readonly string[];
    readonly fresh: readonly string[];
    readonly around: { readonly before: string; readonly after: string };
  },
): readonly MembersChanged[] {
  const form = forms.find(([ending]) => ending.test(path))?.[1];
  if (form === undefined) return [];
  const nameIn = (line: string): string => form.exec(line)?.[1] ?? '';
  const added = besideIn(edit.around.after, edit.fresh, nameIn);
  const gone = besideIn(edit.around.before, edit.old, nameIn);
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

/** A type as it is told: its head and its fields, or those that came and went. */
const typed = /^(?<head>[^{}=(]{1,120})\{ (?<fields>[^{}]{1,400}) \}$/;
const mark = { came: '+ ', gone: '− ' } as const;

/** A type with its fields, as it is told; `isCut` where it has more of them. */
interface TypeFields {
  readonly head: string;
  readonly fields: readonly string[];
  readonly isCut: boolean;
}

/** The fields of a type as it is told; null for anything else. */
function typeFieldsOf(text: string): TypeFields | null {
  const { head = '', fields = '' } = typed.exec(text)?.groups ?? {};
  if (head === '') return null;
  const all = fields.split(', ');
  return { head, fields: all.filter((one) => one !== '…'), isCut: all.includes('…') };
}

/** Whether a text is a type with its fields, as it is told. */
export const isTyped = (text: string): boolean => typed.test(text);

/** What came to the fields of a type, and what went from them: `type Row struct { + Size, − Len }`; '' for the same, and for what is no such type. */
export function fieldsChanged(was: string, now: string): string {
  const [old, fresh] = [typeFieldsOf(was), typeFieldsOf(now)];
  if (old === null || fresh === null || old.head !== fresh.head) return '';
  // Of a type that is told in part nobody knows that it lacks a field.
  if (old.isCut && !fresh.isCut) return '';
  const came = fresh.fields.filter((name) => !old.fields.includes(name));
  const gone = fresh.isCut ? [] : old.fields.filter((name) => !fresh.fields.includes(name));
  const fields = [...came.map((name) => mark.came + name), ...gone.map((name) => mark.gone + name)];
  return printed({ head: fresh.head, fields, isCut: false });
}

const printed = ({ head, fields, isCut }: TypeFields): string =>
  fields.length === 0 ? '' : `${head}{ ${[...fields, ...(isCut ? ['…'] : [])].join(', ')} }`;

/** Whether a text tells of a type what came and what went. */
export const tellsFields = (text: string): boolean =>
  typeFieldsOf(text)?.fields.every(isMarked) === true;

const isMarked = (field: string): boolean =>
  field.startsWith(mark.came) || field.startsWith(mark.gone);

/** A type as it is told, or what came to it and went, after what a later text tells; '' where that is nothing. */
export function withFields(earlier: string, later: string): string {
  const [before, change] = [typeFieldsOf(earlier), typeFieldsOf(later)];
  if (before === null || change === null || before.head !== change.head) return later;
  const isWhole = !before.fields.every(isMarked);
  let { fields } = before;
  for (const field of change.fields) {
    const name = field.slice(mark.came.length);
    const isCome = field.startsWith(mark.came);
    const undone = isCome ? mark.gone + name : isWhole ? name : mark.came + name;
    if (fields.includes(undone)) fields = fields.filter((one) => one !== undone);
    else if (isCome) fields = [...fields, isWhole ? name : field];
    else if (!isWhole) fields = [...fields, field];
  }
  return printed({ ...before, fields });
}
