import type { Assembly, OutMessage } from '../../core/assembly/assembly.ts';
import { argumentsOf, textOf, type Message } from '../../core/messages/message.ts';
import type { Moment } from './bench.ts';
import type { TextExpected, Unmet } from './expectation.ts';

/** Letters around a text that was found. */
const around = 40;

/** Texts that the window does not show though it should, or shows though it should not. */
export async function findUnmet(
  moment: Moment,
  search: { readonly wanted: TextExpected | readonly TextExpected[]; readonly isShown: boolean },
): Promise<readonly Unmet[]> {
  const assembly = await moment.assembly();
  const isList = Array.isArray(search.wanted);
  const all = isList ? search.wanted : [search.wanted];
  const unmet: Unmet[] = [];
  for (const [index, wanted] of all.entries()) {
    const { section, find, name } = toSearch(wanted);
    const found = assembly.messages.find(
      (message) =>
        (section === undefined || message.section === section) && find(saidIn(message)) !== null,
    );
    if ((found !== undefined) === search.isShown) continue;
    const place = section === undefined ? 'the window' : `section "${section}"`;
    unmet.push({
      path: isList ? [...moment.path, index] : moment.path,
      what: `${place} ${search.isShown ? 'shows' : 'does not show'} ${name}`,
      lines:
        found === undefined
          ? await whereElse(moment, { assembly, find, wanted: name })
          : [`there  ${nameOf(found)}: ${excerpt(saidIn(found), find)}`],
    });
  }
  return unmet;
}

type Find = (text: string) => readonly [from: number, to: number] | null;

function toSearch(wanted: TextExpected): { section: string | undefined; find: Find; name: string } {
  if (typeof wanted === 'object' && 'match' in wanted) {
    const expression = new RegExp(wanted.match, 'u');
    const find: Find = (text) => {
      const found = expression.exec(text);
      return found === null ? null : [found.index, found.index + found[0].length];
    };
    return { section: wanted.in, find, name: `/${wanted.match}/` };
  }
  const text = typeof wanted === 'object' ? wanted.text : String(wanted);
  const find: Find = (said) => {
    const at = said.indexOf(text);
    return at < 0 ? null : [at, at + text.length];
  };
  return { section: typeof wanted === 'object' ? wanted.in : undefined, find, name: `"${text}"` };
}

/** All text of a message that a model reads, with the calls that it makes. */
export function saidIn(message: OutMessage | Message): string {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [
    textOf(message.content),
    ...calls.map((call) => `${call.name} ${argumentsOf(call)}`),
  ].join('\n');
}

/** Where a text is that the window does not show as wanted: in other messages, in entries, or nearly so. */
async function whereElse(
  { bench: { session } }: Moment,
  { assembly, find, wanted }: { assembly: Assembly; find: Find; wanted: string },
): Promise<readonly string[]> {
  const { budget, messages } = assembly;
  const lines = [
    `there  ${messages.length} ${messages.length === 1 ? 'message' : 'messages'}, ${budget.total} of ${budget.limit} tokens`,
  ];
  const other = messages.find((message) => find(saidIn(message)) !== null);
  if (other !== undefined)
    return [...lines, `it is in ${nameOf(other)}: ${excerpt(saidIn(other), find)}`];
  for await (const { id, role, ...said } of session.log())
    if (find(saidIn({ role, ...said } as Message)) !== null)
      return [...lines, `said in ${id} (${role}), which is ${placeIn(session.where(id))}`];
  const near = nearestOf(messages, wanted);
  return [...lines, 'no entry of the log says it', ...(near === null ? [] : [near])];
}

function placeIn(place: object): string {
  const { place: name, checkpoint, from, to } = place as Readonly<Record<string, string>>;
  if (checkpoint !== undefined) return `behind checkpoint ${checkpoint} (${from} to ${to})`;
  return from === undefined ? `${name} now` : `${name} now (${from} to ${to})`;
}

const nameOf = ({ entry, section, role }: OutMessage): string =>
  entry === undefined ? `the section "${section}"` : `${entry} (${role}, ${section})`;

function excerpt(text: string, find: Find): string {
  const [from, to] = find(text)!;
  const cut = text
    .slice(Math.max(0, from - around), to + around)
    .replace(/\s+/g, ' ')
    .trim();
  return `“${from > around ? '…' : ''}${cut}${to + around < text.length ? '…' : ''}”`;
}

/** The sentence with most of the words that were looked for; null where less than half are together. */
function nearestOf(messages: readonly OutMessage[], wanted: string): string | null {
  const words = wordsOf(wanted);
  let best = { share: 0, line: null as string | null };
  for (const message of messages)
    for (const line of saidIn(message).split(/\n|(?<=[.!?]) /)) {
      const has = wordsOf(line);
      const share = [...words].filter((word) => has.has(word)).length / Math.max(1, words.size);
      if (share >= 0.5 && share > best.share)
        best = {
          share,
          line: `nearest  ${nameOf(message)}: “${line.trim().slice(0, 3 * around)}”`,
        };
    }
  return best.line;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
