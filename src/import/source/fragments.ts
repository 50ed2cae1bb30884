// A chat log may be one JSON array of any size, written on one line or on a
// million. It is read in fragments: text is pushed in as it comes, and each
// element of the array comes out when it is complete, still as text, so that a
// broken one is broken alone and a file that was cut short is read up to the
// cut. An object around the array is looked through for the fields that hold
// such arrays: `messages`, or others where the format has others.
//
//   { "id": "a", "messages": [ {…}, {…} ] }
//     └ member ┘               └item┘ └item┘

/** A complete piece of the document, as text. */
export interface Fragment {
  readonly kind: 'item' | 'member';
  /** The field's name; for an item that of its array, empty where no object stands around it. */
  readonly name: string;
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/** A document that is read in parts; `rest` is the piece that is unfinished when the text ends. */
interface Fragments {
  /** The pieces that `text`, a line or a part of one, completes; `line` is its number. */
  push(text: string, line: number): readonly Fragment[];
  /** The unfinished piece, and what kind of end the document has so far. */
  rest(): {
    readonly name: string;
    readonly text: string;
    readonly line: number;
    readonly closed: boolean;
    readonly after: number | null;
  };
}

interface State {
  /** Brackets that are open. */
  depth: number;
  /** Fields whose arrays are cut into items. */
  readonly arrays: readonly string[];
  /** The depth of what is cut out: 1 in an array or an object, 2 in such a field; 0 before the first bracket and after the last. */
  base: number;
  /** Whether the pieces at `base` are an array's. */
  array: boolean;
  quoted: boolean;
  name: string;
  piece: string;
  line: number;
  closed: boolean;
  after: number | null;
  readonly out: Fragment[];
}

const special = /["\\{}[\],:]/g;

/** A reader of one document, which cuts the arrays of the fields `arrays` into items. */
export function openFragments(arrays: readonly string[] = ['messages']): Fragments {
  const state: State = {
    arrays,
    depth: 0,
    base: 0,
    array: false,
    quoted: false,
    name: '',
    piece: '',
    line: 0,
    closed: false,
    after: null,
    out: [],
  };
  return {
    push: (text, line) => {
      scan(state, text, line);
      return state.out.splice(0);
    },
    rest: () => ({
      name: state.name,
      text: state.piece.trim(),
      line: state.line,
      closed: state.closed,
      after: state.after,
    }),
  };
}

function scan(state: State, text: string, line: number): void {
  let from = 0;
  const source = `${text}\n`;
  for (const { 0: sign, index } of source.matchAll(special)) {
    if (index < from) continue;
    addToPiece(state, source.slice(from, index), line);
    const isEscape = sign === '\\' && state.quoted;
    from = index + (isEscape ? 2 : 1);
    if (isEscape) addToPiece(state, source.slice(index, from), line);
    else step(state, sign, line);
  }
  addToPiece(state, source.slice(from), line);
}

/** Adds text to the piece at hand. */
function addToPiece(state: State, text: string, line: number): void {
  if (state.closed && state.after === null && /\S/.test(text)) state.after = line;
  if (state.base === 0) return;
  if (state.piece === '') {
    const start = text.trimStart();
    if (start === '') return;
    state.line = line;
    state.piece = start;
    return;
  }
  state.piece += text;
}

function step(state: State, sign: string, line: number): void {
  if (sign === '"') state.quoted = !state.quoted;
  if (state.quoted || sign === '"') addToPiece(state, sign, line);
  else if (sign === '{' || sign === '[') openBracket(state, sign, line);
  else if (sign === '}' || sign === ']') closeBracket(state, sign, line);
  else if (sign === ',' && state.depth === state.base && state.base > 0) finishPiece(state);
  else if (sign === ':' && !state.array && state.depth === 1) takeName(state);
  else addToPiece(state, sign, line);
}

function openBracket(state: State, sign: string, line: number): void {
  state.depth += 1;
  const isRoot = state.depth === 1 && !state.closed;
  const isCut =
    state.depth === 2 && sign === '[' && state.arrays.includes(state.name) && state.piece === '';
  if (isRoot || (isCut && !state.array)) {
    state.base = state.depth;
    state.array = sign === '[';
  } else addToPiece(state, sign, line);
}

function closeBracket(state: State, sign: string, line: number): void {
  const ends = state.depth === state.base && state.base > 0;
  if (!ends) addToPiece(state, sign, line);
  state.depth = Math.max(0, state.depth - 1);
  if (!ends) return;
  finishPiece(state);
  state.name = '';
  state.base -= 1;
  state.array = false;
  if (state.base === 0) state.closed = true;
}

function takeName(state: State): void {
  try {
    state.name = String(JSON.parse(state.piece));
  } catch {
    state.name = state.piece;
  }
  state.piece = '';
}

function finishPiece(state: State): void {
  const text = state.piece.trim();
  if (text !== '')
    state.out.push({
      kind: state.array ? 'item' : 'member',
      name: state.name,
      text,
      line: state.line,
    });
  state.piece = '';
  if (!state.array) state.name = '';
}
