import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** A question that the context at a cut should answer. */
export interface Probe {
  readonly id: string;
  /** What it asks for: `intent`, `decisions`, …. */
  readonly kind: string;
  readonly question: string;
  readonly answer: string;
  /** What must stand close together in a text that answers it; each with its spellings. */
  readonly keys: readonly (readonly string[])[];
}

/** Where a session is cut: what stands before is what the questions are about. */
export interface Cut {
  /** Messages before it. */
  readonly messages: number;
  /** The message after it, each text as far as it is given; left out where the number is enough. */
  readonly next?: {
    readonly role: string;
    readonly text: string;
    readonly calls: readonly string[];
  };
}

/** The questions about one session. */
export interface Probes {
  readonly file: string;
  /** The session file, relative to the folder of the probe file or to one above. */
  readonly session: string;
  readonly cut: Cut;
  readonly probes: readonly Probe[];
}

/** A question as it stands in a file: the spellings of a key have `|` between them. */
interface WrittenProbe {
  readonly id: string;
  readonly kind: string;
  readonly q: string;
  readonly gold: string;
  readonly keys: readonly string[];
}

/** Reads a probe file; rejects where it is none. */
export async function readProbes(file: string): Promise<Probes> {
  const { session, cut, probes } = await jsonOf(file);
  if (typeof session !== 'string' || !isCut(cut) || !Array.isArray(probes))
    throw noProbes(file, 'it needs session, cut and probes');
  if (!probes.every(isWritten))
    throw noProbes(file, 'a probe needs id, kind, q, gold and at least one key');
  return {
    file,
    session,
    cut,
    probes: probes.map(({ id, kind, q, gold, keys }) => ({
      id,
      kind,
      question: q,
      answer: gold,
      keys: keys.map((key) => key.split('|').map((spelling) => spelling.trim())),
    })),
  };
}

async function jsonOf(file: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw noProbes(file, (error as Error).message);
  }
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    throw noProbes(file, 'it is not JSON');
  }
}

function noProbes(file: string, reason: string): Error {
  return new Error(`"${basename(file)}" cannot be read as a probe file: ${reason}`);
}

function isCut(value: unknown): value is Cut {
  const { messages } = Object(value) as Readonly<Record<string, unknown>>;
  return Number.isSafeInteger(messages) && Number(messages) > 0;
}

function isWritten(value: unknown): value is WrittenProbe {
  const { id, kind, q, gold, keys } = Object(value) as Readonly<Record<string, unknown>>;
  const isText = (one: unknown): boolean => typeof one === 'string' && one.trim() !== '';
  return (
    [id, kind, q, gold].every(isText) &&
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.every(isText)
  );
}
