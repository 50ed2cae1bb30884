// A regular expression as far as texts are to be made of it: which it would match, piece by piece, and where
// it goes on as long as it can.

/** A place at which an expression takes as much as there is. */
export interface Pump {
  /** A text that leads there. */
  readonly before: string;
  /** Texts that it takes there, again and again. */
  readonly units: readonly string[];
}

type Node =
  | { readonly is: 'text'; readonly samples: readonly string[] }
  | { readonly is: 'all'; readonly of: readonly Node[] }
  | { readonly is: 'any'; readonly of: readonly Node[] }
  | { readonly is: 'look'; readonly of: Node }
  | { readonly is: 'again'; readonly of: Node; readonly least: number; readonly isLong: boolean };

/** Characters of which a class is asked for those that it takes, the telling ones first. */
const characters: readonly string[] = Array.from(
  'a1 \n.-/_"\'`\\*#<>()[]{}=:;,!?@$%^&|~+Zbexk09\t\réß漢€…–—“”‘’\u0000\u001b\u00a0\u200b\u2028',
).concat('🙂');

const mostSamples = 6;
/** Repetitions from which on a place is a pump. */
const many = 16;

/** The pumps of an expression; the first of `samples` matches it, if it has no look-around. */
export function pumpsIn({ source, flags }: RegExp): {
  readonly pumps: readonly Pump[];
  readonly samples: readonly string[];
} {
  const tree = parse(source, flags);
  const pumps: Pump[] = [];
  const walk = (node: Node, before: string): void => {
    switch (node.is) {
      case 'text':
        return;
      case 'look':
        return walk(node.of, before);
      case 'any':
        return node.of.forEach((one) => walk(one, before));
      case 'all': {
        let led = before;
        for (const one of node.of) {
          walk(one, led);
          led += sample(one, 0);
        }
        return;
      }
      case 'again':
        if (node.isLong) pumps.push({ before, units: samplesOf(node.of) });
        walk(node.of, before);
    }
  };
  walk(tree, '');
  return { pumps, samples: samplesOf(tree) };
}

const samplesOf = (node: Node): readonly string[] => [
  ...new Set(Array.from({ length: mostSamples }, (_, variant) => sample(node, variant))),
];

/** A text that a node takes. */
function sample(node: Node, variant: number): string {
  switch (node.is) {
    case 'text':
      return node.samples[variant % Math.max(1, node.samples.length)] ?? '';
    case 'look':
      return '';
    case 'any':
      return sample(node.of[variant % node.of.length]!, variant);
    case 'all':
      return node.of.map((one) => sample(one, variant)).join('');
    case 'again':
      return sample(node.of, variant).repeat(Math.min(8, Math.max(1, node.least)));
  }
}

/** The tree of an expression; the syntax is right, since JavaScript took it. */
function parse(source: string, flags: string): Node {
  let at = 0;
  const isNext = (text: string): boolean => source.startsWith(text, at);
  const take = (shape: RegExp): string => {
    const found = shape.exec(source.slice(at))?.[0] ?? '';
    at += found.length;
    return found;
  };

  function alternatives(): Node {
    const of: Node[] = [];
    do of.push(sequence());
    while (take(/^\|/) !== '');
    return of.length === 1 ? of[0]! : { is: 'any', of };
  }

  function sequence(): Node {
    const of: Node[] = [];
    while (at < source.length && !isNext('|') && !isNext(')')) of.push(quantified(atom()));
    return { is: 'all', of };
  }

  function quantified(of: Node): Node {
    const found = take(/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/);
    if (found === '') return of;
    const [, low = '', high = ''] = /^\{(\d+)(?:,(\d*))?\}/.exec(found) ?? [];
    const least = found.startsWith('{') ? Number(low) : found.startsWith('+') ? 1 : 0;
    const isOpen = /^[*+]/.test(found) || (/^\{\d+,/.test(found) && high === '');
    return { is: 'again', of, least, isLong: isOpen || Number(high) >= many };
  }

  function atom(): Node {
    const look = take(/^\(\?<?[=!]/);
    const group = look === '' ? take(/^\((?:\?(?:[ims]*(?:-[ims]+)?:|<[^>=!]*>))?/) : look;
    if (group !== '') {
      const inner = alternatives();
      take(/^\)/);
      return look === '' ? inner : { is: 'look', of: inner };
    }
    const taken = take(
      /^(?:\[(?:\\[^]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\k<[^>]*>|\\[^])/,
    );
    if (/^\\(?:[bB]|[1-9]|k)/.test(taken)) return { is: 'text', samples: [''] };
    const one = taken || take(flags.includes('u') || flags.includes('v') ? /^[^]/u : /^[^]/);
    return { is: 'text', samples: /^[\^$]$/.test(one) ? [''] : charactersIn(one, flags) };
  }

  return alternatives();
}

/** What a class, an escape or a character takes. */
function charactersIn(source: string, flags: string): readonly string[] {
  if (/^[^\\[.]$/u.test(source)) return [source];
  const shape = new RegExp(`^(?:${source})$`, flags.replace(/[gy]/g, ''));
  const taken = characters.filter((one) => shape.test(one)).slice(0, mostSamples);
  if (taken.length > 0) return taken;
  for (let code = 0; code < 0x3000; code += 1)
    if (shape.test(String.fromCharCode(code))) return [String.fromCharCode(code)];
  return [];
}
