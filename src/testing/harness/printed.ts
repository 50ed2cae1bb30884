import type { Assembly, OutMessage } from '../../core/assembly/assembly.ts';
import { textOf } from '../../core/messages/message.ts';
import type { SessionFact } from '../../engine/live/listening/listeners.ts';

// What is recorded is for people who review it. A trace is what was decided, with ids and counts. Texts, times and hashes are left out, so
// that the same script gives the same bytes wherever and whenever it runs.

/** Fields that are not told: times and hashes, and what follows from the rest. */
const hiddenFields: ReadonlySet<string> = new Set(
  'type seq at due hash assembly exact shown unit'.split(' '),
);

/** The facts of a session, a line each: `12 entry.appended entry=e4 frame=f0 role=tool form=whole tokens=120`. */
export function traceOf(facts: Iterable<SessionFact>): string {
  let trace = '';
  for (const fact of facts) {
    const fields = Object.entries(fact).flatMap(([name, value]) => wordFor(name, value));
    trace += `${[String(fact.seq).padStart(4), fact.type, ...fields].join(' ')}\n`;
  }
  return trace;
}

/** A field as a word; nothing for one that is text or that holds other things. */
function wordFor(name: string, value: unknown): readonly string[] {
  if (hiddenFields.has(name) || value === undefined || value === null || value === false) return [];
  if (value === true) return [name];
  if (typeof value === 'number') return [`${name}=${value}`];
  if (typeof value === 'string') return isPlain(value) ? [`${name}=${value}`] : [];
  if (Array.isArray(value)) return value.length === 0 ? [] : [`${name}=${listed(value)}`];
  const { id } = value as { readonly id?: unknown };
  return typeof id === 'string' && isPlain(id) ? [`${name}=${id}`] : [];
}

/** Whether a text is an id or a word of ours, and nothing that somebody wrote. */
const isPlain = (text: string): boolean => /^[a-z]+\d*$/.test(text) && text.length <= 16;

/** Ids one by one, anything else by its count. */
function listed(values: readonly unknown[]): string {
  const areIds = values.every((value) => typeof value === 'string' && /^[a-z]\d+$/.test(value));
  if (areIds && values.length <= 4) return values.join(',');
  return areIds ? `${String(values[0])}…${String(values.at(-1))}` : `×${values.length}`;
}

/** Longest beginning of a message that is told, in UTF-16 units. */
const longest = 60;

/** A prompt for reading, a line a message: section, entry, tokens, and how it begins. */
export function windowText({ messages }: Assembly): string {
  return messages.map((message) => `${lineOf(message)}\n`).join('');
}

function lineOf(message: OutMessage): string {
  const { section, kind, entry, role, tokens } = message;
  const name = kind === 'made' ? '' : kind === 'entry' ? entry! : `${entry!}, shortened`;
  const calls =
    role === 'assistant' ? (message.toolCalls ?? []).map((call) => `→ ${call.name}`) : [];
  const said = [textOf(message.content), ...calls].join(' ').replace(/\s+/g, ' ').trim();
  const begun = said.length > longest ? `${said.slice(0, longest)}…` : said;
  return [section.padEnd(11), role.padEnd(9), name.padEnd(4), `${tokens}`.padStart(5), ` ${begun}`]
    .join(' ')
    .trimEnd();
}
