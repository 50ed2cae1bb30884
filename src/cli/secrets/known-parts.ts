import { isCommon } from './judge.ts';

/** A key, and what it was taken for. */
export interface Secret {
  readonly kind: string;
  readonly text: string;
}

/** Characters by which a key is known again: of its beginning, and of its end. */
const partLength = 12;

/** Keys that one part is looked up for; where more have it, what goes on as a key does goes with it. */
const mostPlaces = 16;

/** A line of a key, and at which of its characters a part of it begins. */
interface Place {
  readonly line: string;
  readonly at: number;
  readonly of: Secret;
}

/** A key that is too short, or too much like words, to be known by a part of it: it is known where all of it stands by itself. */
interface Whole {
  readonly text: string;
  readonly of: Secret;
}

/** Characters by which such a key is looked up: the fewest that one has. */
const shortest = 4;

/** Finds keys again by their beginnings and ends, and those without such parts as a whole. */
export interface KnownParts {
  add(secret: Secret): void;
  /** The key that this is all, the beginning or the end of. */
  whole(text: string): Secret | undefined;
  /** A text without the stretches of keys around each place of a part of them. */
  without(text: string, onHidden: (secret: Secret) => void): string;
}

/** None yet. */
export function newKnownParts(): KnownParts {
  const places = new Map<string, Place[]>();
  const wholes = new Map<string, Whole[]>();
  // By which two characters parts may begin: most of a text begins none.
  const begin = new Uint8Array(0x10000);
  return {
    add(secret) {
      // Of a key of several lines each line is known.
      const lines = linesOf(secret);
      if (lines.length === 0 && isRare(secret.text)) {
        const head = secret.text.slice(0, shortest);
        wholes.set(head, [...(wholes.get(head) ?? []), { text: secret.text, of: secret }]);
        begin[beginOf(head, 0)] = 1;
      }
      for (const line of lines)
        for (const at of [0, line.length - partLength]) {
          const part = line.slice(at, at + partLength);
          const partPlaces = places.get(part) ?? [];
          if (partPlaces.length < mostPlaces) partPlaces.push({ line, at, of: secret });
          places.set(part, partPlaces);
          begin[beginOf(part, 0)] = 1;
        }
    },
    whole: (text) =>
      [text.slice(0, partLength), text.slice(-partLength)]
        .flatMap((part) => places.get(part) ?? [])
        .find(({ line }) => line.includes(text))?.of,
    without(text, onHidden) {
      let without = '';
      let from = 0;
      for (let at = 0; at + shortest <= text.length; at += 1) {
        if (begin[beginOf(text, at)] === 0) continue;
        const whole = wholes
          .get(text.slice(at, at + shortest))
          ?.find((one) => standsAlone(one.text, text, at));
        if (whole !== undefined) {
          onHidden(whole.of);
          without += `${text.slice(from, at)}[redacted]`;
          from = at + whole.text.length;
          at = from - 1;
          continue;
        }
        const partPlaces = places.get(text.slice(at, at + partLength));
        if (partPlaces === undefined) continue;
        let [start, end] = [at, at + partLength];
        for (const { line, at: place, of } of partPlaces) {
          onHidden(of);
          let before = 0;
          while (
            at - before > from &&
            place > before &&
            line[place - before - 1] === text[at - before - 1]
          )
            before += 1;
          let after = partLength;
          while (at + after < text.length && line[place + after] === text[at + after]) after += 1;
          [start, end] = [Math.min(start, at - before), Math.max(end, at + after)];
        }
        if (partPlaces.length === mostPlaces) while (/[\w+/=-]/.test(text[end] ?? '')) end += 1;
        without += `${text.slice(from, start)}[redacted]`;
        from = end;
        at = end - 1;
      }
      return without + text.slice(from);
    },
  };
}

/** The lines of a key that are known by themselves: the one that says what it is, as of a private key, is not. */
const linesOf = ({ kind, text }: Secret): readonly string[] =>
  text
    .split(kind === 'private key' ? /\\{1,8}[nrt]|[^A-Za-z\d+/=]+/ : /\s+|\\{1,8}[nr]/)
    .filter((line) => line.length > partLength && /\d/.test(line) && /[A-Za-z]/.test(line));

/** Names of programs and of their first users: as passwords they are known to everybody, and they stand everywhere. */
const defaults: ReadonlySet<string> = new Set(
  `postgres postgresql mysql mariadb mongodb redis rabbitmq guest admin administrator root testuser username
  localhost docker minio minioadmin elastic grafana vagrant ubuntu jenkins keycloak`.split(/\s+/),
);

/** Whether a key is nothing else where it stands by itself: no program, no placeholder, and no short word or number. */
function isRare(text: string): boolean {
  if (text.length < shortest || /[\r\n]/.test(text)) return false;
  if (defaults.has(text.toLowerCase()) || (isCommon(text) && !/\d/.test(text))) return false;
  return text.length >= 6 || (/[A-Za-z]/.test(text) && /[^A-Za-z]/.test(text));
}

/** Whether a key stands at a place of a text, and no letter or digit beside it; what an escape ends with is none. */
function standsAlone(key: string, text: string, at: number): boolean {
  if (!text.startsWith(key, at)) return false;
  const isJoined =
    isWordUnit(key[0]) &&
    isWordUnit(text[at - 1]) &&
    !(/[nrt]/.test(text[at - 1]!) && text[at - 2] === '\\');
  return !isJoined && !(isWordUnit(key.at(-1)) && isWordUnit(text[at + key.length]));
}

const isWordUnit = (unit: string | undefined): boolean => unit !== undefined && /\w/.test(unit);

/** The first two characters of a part, as a number below 65,536. */
const beginOf = (text: string, at: number): number =>
  (text.charCodeAt(at) * 251 + text.charCodeAt(at + 1)) & 0xffff;
