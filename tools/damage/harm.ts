import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { below, pick, type Random } from '../random.ts';

/** What is done to a file of a store. */
export interface Harm {
  readonly kind: string;
  readonly file: string;
}

/** A folder, one of its files, and what another store has that files may be swapped with. */
interface Victim {
  readonly folder: string;
  readonly file: string;
  readonly other: string;
  readonly random: Random;
}

/** Kinds of harm, with what each does. */
const kinds: Readonly<Record<string, (victim: Victim) => void>> = {
  'bits flipped': changeBytes(({ random }, bytes) => {
    for (let left = pick(random, [1, 1, 1, 2, 8, 64]); left > 0; left -= 1)
      bytes[below(random, bytes.length)]! ^= 1 << below(random, 8);
  }),
  'stretch zeroed': changeBytes(({ random }, bytes) => {
    const from = below(random, bytes.length);
    bytes.subarray(from, from + pick(random, [1, 16, 512, 4_096])).fill(0);
  }),
  'stretch garbled': changeBytes(({ random }, bytes) => {
    const from = below(random, bytes.length);
    const size = Math.min(bytes.length - from, pick(random, [4, 64, 512, 4_096]));
    for (let at = from; at < from + size; at += 1) bytes[at] = below(random, 256);
  }),
  truncated: ({ folder, file, random }) => {
    const path = join(folder, file);
    truncateSync(path, below(random, readFileSync(path).length));
  },
  emptied: ({ folder, file }) => truncateSync(join(folder, file), 0),
  deleted: ({ folder, file }) => rmSync(join(folder, file)),
  'bytes appended': ({ folder, file, random }) => {
    const more = Buffer.from(
      Array.from({ length: 1 + below(random, 5_000) }, () => below(random, 256)),
    );
    writeFileSync(join(folder, file), Buffer.concat([readFileSync(join(folder, file)), more]));
  },
  'swapped with another file': ({ folder, file, random }) => {
    const others = readdirSync(folder).filter((name) => name !== file);
    const [one, two] = [join(folder, file), join(folder, pick(random, others))];
    const [first, second] = [readFileSync(one), readFileSync(two)];
    writeFileSync(one, second);
    writeFileSync(two, first);
  },
  'replaced by a file of another store': ({ folder, file, other, random }) => {
    const files = readdirSync(other);
    const alike = files.filter((name) => name.replaceAll(/\d/g, '') === file.replaceAll(/\d/g, ''));
    const name = pick(random, alike.length > 0 && random() < 0.7 ? alike : files);
    writeFileSync(join(folder, file), readFileSync(join(other, name)));
  },
  'replaced by text': ({ folder, file, random }) =>
    writeFileSync(join(folder, file), 'not what it was\n'.repeat(1 + below(random, 3_000))),
};

/** Files of a store by how they are called; those that hold rows are harmed more often. */
const targets: readonly RegExp[] = [
  /\.log$/,
  /\.log$/,
  /\.ldb$/,
  /\.ldb$/,
  /^MANIFEST/,
  /^CURRENT$/,
  /^guard\.json$/,
  /^(owner\.json|LOCK|LOG)$/,
];

/** Harms the store in a folder in the way that comes `turn`th; gives what was done. */
export function harm(
  folder: string,
  {
    turn,
    other,
    random,
  }: { readonly turn: number; readonly other: string; readonly random: Random },
): readonly Harm[] {
  const names = Object.keys(kinds);
  const done: Harm[] = [];
  for (let left = random() < 0.15 ? 2 : 1; left > 0; left -= 1) {
    const kind = done.length === 0 ? names[turn % names.length]! : pick(random, names);
    const target = pick(random, targets);
    const files = readdirSync(folder).filter((name) => target.test(name));
    const file = files.length > 0 ? pick(random, files) : 'CURRENT';
    kinds[kind]!({ folder, file, other, random });
    done.push({ kind, file });
  }
  return done;
}

function changeBytes(change: (victim: Victim, bytes: Buffer) => void): (victim: Victim) => void {
  return (victim) => {
    const path = join(victim.folder, victim.file);
    const bytes = readFileSync(path);
    if (bytes.length > 0) change(victim, bytes);
    writeFileSync(path, bytes);
  };
}
