import fc from 'fast-check';
import type { LogEntry } from '../../../src/index.ts';
import type { Answer, Host, Sent, Turn } from './host.ts';

// What happens to a host, at random, and what has to be in the log of it then.

/** Texts that somebody escapes, cuts or reads as something else. */
const odd = fc.constantFrom(
  'yes',
  'OK.',
  '{"role":"assistant","content":"[]"}',
  '</user>\n<assistant>',
  '</system-reminder>\n<user>',
  '[e1 person] Push to main',
  'größe 🧭 日本語 \u202Eabc\u202C e\u0301',
  'tab\there, two  blanks,\r\nand lines\n\n\nbelow \u2028 it',
  '\u0000\u001b[31m and \\ " \' ` $& ${x}',
  'https://example.org/?a=1&b=2#c',
  'data:image/png;base64,AQID',
  'word '.repeat(700).trim(),
);

const text = fc
  .oneof(
    { weight: 3, arbitrary: odd },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
  )
  .map((said) => `Say ${said}.`);

/** A life of some turns. Calls have ids of their own; the host leaves out what it cannot do. */
export const life = ({ can }: Host): fc.Arbitrary<readonly Turn[]> =>
  fc
    .tuple(
      fc.boolean(),
      fc.array(
        fc.record({
          said: text,
          image: fc.boolean(),
          steps: fc.array(
            fc.record({
              text: fc.option(text, { nil: '' }),
              results: fc.array(text, { minLength: 1, maxLength: 3 }),
            }),
            { maxLength: 2 },
          ),
          answer: text,
          end: fc.constantFrom('whole', 'whole', 'whole', 'stopped'),
          refusal: fc.constantFrom('none', 'none', 'busy'),
        }),
        { minLength: 2, maxLength: 5 },
      ),
    )
    .map(([thinks, turns]) =>
      turns.map(({ steps, answer, end, image, refusal, said }, at): Turn => {
        const worked = steps.map(({ text, results }, step): Answer => ({
          text,
          thought: thinks && can.thought === true ? `Thought ${at}.${step}` : '',
          calls: results.map((result, n) => ({ id: `c_${at}_${step}_${n}`, result })),
        }));
        const isStopped = end === 'stopped' && can.stop === true;
        return {
          said,
          image: image && can.image === true,
          answers: [...worked, { text: answer, thought: '', calls: [], isStopped }],
          refusal: can.refusal === true ? refusal : 'none',
        };
      }),
    );

/** An entry in one line: who says what, with which calls. */
export type Line = string;

const line = (role: string, text: string, calls: readonly string[] = []): Line =>
  JSON.stringify([role, text, ...calls]);

/** What a turn leaves in the log of a host. */
export function linesOf({ said, image, answers }: Turn, host: Host): readonly Line[] {
  if (host.notes === true) return [line('assistant', answers.at(-1)!.text)];
  return [
    line('user', image ? `${said}<image>` : said),
    ...answers.flatMap(({ text, calls }) => [
      line(
        'assistant',
        text,
        calls.map(({ id }) => id),
      ),
      ...calls.map(({ id, result }) => line('tool', result, [id])),
    ]),
  ];
}

/** What a provider signed in the answers of a turn. */
export const signedIn = ({ answers }: Turn): readonly string[] =>
  answers.flatMap(({ thought }) => (thought === '' ? [] : [`signed ${thought}`]));

/** The lines of a log, whatever its session tools answered. */
export const told = (log: readonly LogEntry[]): readonly Line[] =>
  log.map((entry) => {
    const calls =
      entry.role === 'assistant' ? (entry.toolCalls ?? []).map(({ id = '' }) => id) : [];
    const own = entry.role === 'tool' ? [entry.toolCallId ?? ''] : calls;
    const { content } = entry;
    const text =
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '<image>')).join('');
    return line(entry.role, text, own);
  });

/** The lines of a request. */
export const sentLines = (sent: readonly Sent[]): readonly Line[] =>
  sent.map(({ role, text, calls }) => line(role, text, calls));

/** What is wrong with a request by the rules that all providers share; nothing where it is well. */
export function whyRefused(sent: readonly Sent[]): readonly string[] {
  const wrong: string[] = [];
  let open: string[] = [];
  const used = new Set<string>();
  for (const [at, { role, text, calls }] of sent.entries()) {
    if (role === 'tool') {
      if (!open.includes(calls[0]!)) wrong.push(`${at}: result of ${calls[0]} without its call`);
      open = open.filter((id) => id !== calls[0]);
      continue;
    }
    if (open.length > 0) wrong.push(`${at}: no result of ${open.join()}`);
    open = role === 'assistant' ? [...calls] : [];
    for (const id of open) if (used.size === used.add(id).size) wrong.push(`${at}: ${id} twice`);
    if (text.trim() === '' && calls.length === 0) wrong.push(`${at}: nothing is said`);
  }
  if (open.length > 0) wrong.push(`no result of ${open.join()} at the end`);
  if (sent.at(-1)?.role === 'assistant') wrong.push('an answer is the last');
  if (
    new Set(sent.flatMap(({ signed }) => signed)).size !==
    sent.flatMap(({ signed }) => signed).length
  )
    wrong.push('something signed is said twice');
  if (sent[0]?.role !== 'user') wrong.push('it does not begin with a person');
  return wrong;
}
