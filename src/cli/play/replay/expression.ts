import { EngineError } from '../../../index.ts';

// What `--find` takes. It compares and nothing else: no calls, no assignment, and of objects only
// their own fields, so that an expression can be taken from anybody.
//
//   or     := and { 'or' and }
//   and    := not { 'and' not }
//   not    := 'not' not | '(' or ')' | value [ sign value ]
//   value  := number | 'text' | "text" | true | false | null | name { '.' field }

/** A name in an expression: its fields, and where it stands, from 1. */
export interface Name {
  readonly path: readonly string[];
  readonly at: number;
}

/** Gives the value that the first field of a name has. */
export type Look = (field: string) => unknown;

/** An expression that was read. */
export interface Expression {
  readonly names: readonly Name[];
  holds(look: Look): boolean;
}

type Reader = (look: Look) => unknown;
type Token = Readonly<Record<'kind' | 'text', string>> & { readonly at: number };

const pattern =
  /\s*(?:(?<number>-?\d+(?:\.\d+)?)|(?<text>'[^']*'|"[^"]*")|(?<name>[A-Za-z_]\w*(?:\.[\w-]+)*)|(?<sign>[=!<>]=|[<>~()])|(?<end>$)|(?<other>[^]))/gy;

const words = new Map<string, unknown>(Object.entries({ true: true, false: false, null: null }));

/** Longest expression, in words and signs. */
const mostTokens = 1_000;

/** Reads an expression; throws `OPTION_INVALID`, with the position of the mistake. */
export function parseExpression(source: string): Expression {
  const tokens = tokensOf(source);
  const beyond = tokens[mostTokens];
  if (beyond !== undefined) throw mistake(beyond, `more than ${mostTokens} words and signs`);
  const names: Name[] = [];
  let next = 0;
  const peek = (): Token => tokens[next]!;
  const takes = (text: string): boolean => {
    const isHere = peek().text === text && peek().kind !== 'text';
    if (isHere) next += 1;
    return isHere;
  };
  const chain = (word: string, part: () => Reader, isEnough: boolean): Reader => {
    const parts = [part()];
    while (takes(word)) parts.push(part());
    if (parts.length === 1) return parts[0]!;
    return (look) => parts.some((one) => Boolean(one(look)) === isEnough) === isEnough;
  };
  const either = (): Reader => chain('or', () => chain('and', negated, false), true);
  const negated = (): Reader => {
    if (takes('not'))
      return (
        (one) => (look) =>
          !one(look)
      )(negated());
    if (!takes('(')) return comparison();
    const one = either();
    if (!takes(')')) throw mistake(peek(), 'a ) is missing');
    return one;
  };
  const comparison = (): Reader => {
    const operand = value();
    const sign = peek();
    const compare = sign.kind === 'sign' ? comparisons[sign.text] : undefined;
    if (compare === undefined) return operand;
    next += 1;
    const right = value();
    return (look) => {
      const [one, other] = [operand(look), right(look)];
      if (sign.text !== '~') checkKinds(sign, one, other);
      return compare(one, other);
    };
  };
  const value = (): Reader => {
    const { kind, text, at } = peek();
    if (!['number', 'text', 'name'].includes(kind) || /^(?:and|or|not)$/.test(text))
      throw mistake(peek(), 'a name, a number or a text is missing');
    next += 1;
    if (kind === 'number') return () => Number(text);
    if (kind === 'text') return () => text.slice(1, -1);
    if (words.has(text)) return () => words.get(text);
    const name = { path: text.split('.'), at };
    names.push(name);
    return (look) => valueOf(name, look);
  };
  const whole = either();
  if (peek().text === '=') throw mistake(peek(), 'did you mean ==?');
  if (peek().kind !== 'end') throw mistake(peek(), 'and, or, or the end was expected');
  return { names, holds: (look) => Boolean(whole(look)) };
}

/** The value of a name; null where there is none. */
export function valueOf({ path }: Name, look: Look): unknown {
  const [first, ...fields] = path;
  return fields.reduce((value, field) => ownField(value, field), look(first!)) ?? null;
}

function ownField(value: unknown, field: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, field);
  return isOwn ? (value as Readonly<Record<string, unknown>>)[field] : null;
}

type Comparison = (one: unknown, other: unknown) => boolean;

/** Throws `OPTION_INVALID` where a number is compared with a text: neither is the other, nor before it. */
function checkKinds(sign: Token, one: unknown, other: unknown): void {
  const kinds = [typeof one, typeof other];
  if (!kinds.includes('number') || !kinds.includes('string')) return;
  const describe = (value: unknown): string =>
    typeof value === 'number' ? `the number ${value}` : `the text '${String(value).slice(0, 40)}'`;
  throw mistake(sign, `${describe(one)} is compared with ${describe(other)}`);
}

/** Compares two numbers or two texts; nothing else has an order. */
const ordered =
  (holds: (order: number) => boolean): Comparison =>
  (one, other) =>
    typeof one === typeof other &&
    (typeof one === 'number' || typeof one === 'string') &&
    holds(one < other! ? -1 : Number(one > other!));

const comparisons: Readonly<Record<string, Comparison>> = {
  '==': (one, other) => one === other,
  '!=': (one, other) => one !== other,
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '~': (one, other) => plain(one).includes(plain(other)),
};

/** A value as the text that `~` looks in, in small letters: lists and objects as JSON. */
const plain = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? '')).toLowerCase();

function tokensOf(source: string): readonly Token[] {
  return [...source.matchAll(pattern)].map((match) => {
    const [kind, text] = Object.entries(match.groups!).find(([, one]) => one !== undefined)!;
    return { kind, text, at: match.index + match[0].length - text.length + 1 };
  });
}

/** The error of what was found where something else was to stand. */
export function mistake({ text, at }: Omit<Token, 'kind'>, reason: string): EngineError {
  const where = text === '' ? 'at its end' : `at ${at}, "${text}"`;
  const message = `The expression is not understood ${where}: ${reason}`;
  return new EngineError('OPTION_INVALID', message, { detail: { option: 'find', at } });
}
