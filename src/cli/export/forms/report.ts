import type { FrameNode, Goal } from '../../../index.ts';
import { statusWord, totalOf } from '../../../viewer/page/session/model/history.ts';
import { isNothing, nameOf, sizeText } from '../../../viewer/page/session/model/words/loss.ts';
import type { Prompt } from '../../../viewer/page/session/model/wire.ts';
import { paceText } from '../../call/pace-text.ts';
import { statusLine } from '../../call/status-line.ts';
import { many, number } from '../../paper/size.ts';
import { promptAt } from '../../view/session-answers.ts';
import { changesIn } from '../changes.ts';
import { unlessDamaged } from '../damage.ts';
import type { Exporting } from '../exporting.ts';
import { fenced, inline, table } from './markdown.ts';
import { saidText } from '../said.ts';
import { hideIn } from '../../secrets/secrets.ts';
import { readRecord, windowText, type EntryRecord, type SessionRecord } from '../session-record.ts';

// A session as a report: first what it was for and what came of it, on a page or two, then all that was said.

/** A session as a report in Markdown. */
export async function* reportOf(exporting: Exporting): AsyncGenerator<string> {
  const { session, secrets } = exporting;
  const record = await readRecord(exporting);
  const { goal } = session.state;
  const prompt = await unlessDamaged(promptAt(session, session.state.seq));
  const parts = [
    `# ${inline(record.head.title, 200)}`,
    figures(record, prompt),
    ...(goal === null ? [] : ['## Goal', goalText(hideIn(goal, secrets))]),
    ...framesText(session.frames.tree(), record, exporting),
    ...askedText(record, exporting),
    ...(prompt === null ? [] : summaryText(prompt)),
  ];
  for (const part of parts) yield `${secrets.hide(part)}\n\n`;
  yield* lossesText(record, exporting);
  yield '## What was said\n';
  for (const one of record.entries) yield secrets.hide(entryText(one, record, exporting));
}

/** When, where, by whom, how much. */
function figures(record: SessionRecord, prompt: Prompt | null): string {
  const { head, history, entries, agent, model, provider, frames } = record;
  const last = history.steps.at(-1);
  const said = last?.said ?? 0;
  const served = provider === '' ? '' : ` (${provider})`;
  const names = [agent, model === '' ? '' : `${model}${served}`, ...head.place.split(' · ')];
  const by = [...new Set(names)].filter(Boolean);
  const rows = [
    ['session', inline(head.session)],
    ['when', whenText(record)],
    ...(by.length === 0 ? [] : [['by', inline(by.join(' · '))]]),
    [
      'said',
      `${many(entries.length, 'entry', 'entries')} in ${many(last?.turn ?? 0, 'turn')}, ${number(said)} tokens`,
    ],
    ['by whom', speakers(entries)],
    ...(frames.length > 1 ? [['frames', number(frames.length - 1)]] : []),
    [
      'window',
      `${windowText(head.window, last?.limit ?? 0)}, which is ${number(last === undefined ? 0 : totalOf(last))} long now`,
    ],
    ['compressions', number(history.compressions.length)],
    ...(prompt === null || prompt.names === 0
      ? []
      : [
          [
            'names',
            `${number(prompt.kept)} of ${number(prompt.names)} in what was compressed stand in the prompt; all of them in the log below`,
          ],
        ]),
  ];
  return table(['', ''], rows);
}

function whenText({ entries }: SessionRecord): string {
  if (entries.length === 0) return 'nothing was said yet';
  const times = entries.map(({ entry }) => entry.at);
  const [from, to] = [Math.min(...times), Math.max(...times)].map(minute);
  return from === to ? `${from} UTC` : `${from} to ${to} UTC`;
}

const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** Who said how much, the most first. */
function speakers(entries: readonly EntryRecord[]): string {
  const by = new Map<string, { entries: number; tokens: number }>();
  for (const { entry, by: name } of entries) {
    const one = by.get(name) ?? { entries: 0, tokens: 0 };
    by.set(name, { entries: one.entries + 1, tokens: one.tokens + entry.tokens });
  }
  const sorted = [...by].sort(([, one], [, other]) => other.tokens - one.tokens);
  const largest = sorted
    .slice(0, 8)
    .map(([name, one]) => `${inline(name)} ${number(one.entries)} (${number(one.tokens)} tokens)`);
  return [...largest, ...(sorted.length > 8 ? [`${sorted.length - 8} others`] : [])].join(', ');
}

function goalText({ description, status, milestones, decisions, artifacts, next }: Goal): string {
  const listed = (name: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : ['', `${name}:`, '', ...items.map((item) => `- ${item}`)];
  return [
    `${inline(description)}${status === 'active' ? '' : ` (${status})`}`,
    ...listed(
      'Milestones',
      milestones.map(
        (one) =>
          `${{ completed: '✓', in_progress: '▶', pending: '○' }[one.status]} ${inline(one.text)}`,
      ),
    ),
    ...listed(
      'Decisions',
      decisions.map(({ text, locked }) => `${inline(text)}${locked ? ' (locked)' : ''}`),
    ),
    ...listed(
      'Next',
      next.map((one) => inline(one)),
    ),
    ...listed(
      'Files',
      artifacts.map(({ path, change }) => `${inline(path)} ${change}`),
    ),
  ].join('\n');
}

const signs = {
  planned: '○',
  in_progress: '▶',
  completed: '✓',
  failed: '✗',
  blocked: '⏸',
  invalidated: '⊘',
} as const;

/** The frames as a list, each with its entries and what came of it; none where there is only the root. */
function framesText(
  tree: FrameNode,
  { entries }: SessionRecord,
  { secrets }: Exporting,
): readonly string[] {
  const root = hideIn(tree, secrets);
  const own = new Map<string, { first: string; last: string; tokens: number }>();
  for (const { entry } of entries) {
    const range = own.get(entry.frame);
    const tokens = (range?.tokens ?? 0) + entry.tokens;
    own.set(entry.frame, { first: range?.first ?? entry.id, last: entry.id, tokens });
  }
  const lines: string[] = [];
  const walk = (frame: FrameNode, indent: string): void => {
    for (const one of frame.children) {
      const said = own.get(one.id);
      const range =
        said === undefined ? '' : `, ${said.first}–${said.last}, ${number(said.tokens)} tokens`;
      const came = one.reason ?? one.results ?? '';
      const text = came === '' ? '' : `: ${inline(came, 300)}`;
      lines.push(
        `${indent}- ${signs[one.status]} **${inline(one.title)}** (${one.id} ${statusWord(one.status)}${range})${text}`,
      );
      walk(one, `${indent}  `);
    }
  };
  walk(root, '');
  return lines.length === 0 ? [] : ['## Frames', lines.join('\n')];
}

/** Most requests that are listed. */
const mostAsked = 100;

/** What people asked for, a line each. */
function askedText({ entries, history }: SessionRecord, { secrets }: Exporting): readonly string[] {
  const requests = entries.filter(({ by }) => by === 'person');
  const lines = requests.slice(0, mostAsked).map(({ entry, step }) => {
    const { turn } = history.steps[step]!;
    return `- turn ${turn}, ${entry.id}: ${inline(saidText(entry, secrets), 300)}`;
  });
  const more = requests.length - lines.length;
  const rest = more > 0 ? [`- and ${number(more)} more, below`] : [];
  return lines.length === 0 ? [] : ['## What people asked for', [...lines, ...rest].join('\n')];
}

/** What the model is told now of what it does not see word for word. */
function summaryText({ messages }: Prompt): readonly string[] {
  const summaries = messages.filter(
    ({ section, kind }) =>
      kind === 'made' && (section === 'chronicle' || section === 'checkpoints'),
  );
  if (summaries.length === 0) return [];
  const text = summaries.map((message) => message.text).join('\n');
  return ['## What the model is told of what it no longer sees', fenced(text)];
}

/** Names of a loss that are listed, of each kind. */
const mostNames = 12;

/** What each compression and each other loss took out of the prompt. */
async function* lossesText(
  { history }: SessionRecord,
  exporting: Exporting,
): AsyncGenerator<string> {
  const { call, secrets } = exporting;
  const { losses, steps } = history;
  if (losses.length === 0) return;
  const status = statusLine(call);
  const begun = performance.now();
  yield '## What went out of the prompt\n\nAll of it is in the log below, and `recall` gives it to the model.\n';
  let index = 0;
  for await (const rawChange of changesIn(history, exporting)) {
    const change = hideIn(rawChange, secrets);
    const loss = losses[index]!;
    index += 1;
    const share = index / losses.length;
    status.say(() => paceText({ count: index, what: 'compressions and frames', share }, begun));
    const { turn } = steps[loss.at]!;
    const name = inline(nameOf(history, loss));
    if (change === null) {
      yield `\n- **${name}** (turn ${turn}: a damaged record keeps it from being told)`;
      continue;
    }
    const { left, shortened, kept, lost } = change;
    const names = lost.reduce((sum, one) => sum + one.names.length, 0);
    const about = [
      `turn ${turn}`,
      sizeText(history, loss),
      ...('cut' in loss && isNothing(change)
        ? []
        : [
            `${many(left.length, 'entry', 'entries')} left`,
            ...(shortened.length === 0 ? [] : [`${number(shortened.length)} shortened`]),
            `${number(kept)} names stayed, ${number(names)} went`,
          ]),
    ].join(', ');
    const kinds = lost.map(({ kind, names: gone }) => {
      const nameTexts = gone.slice(0, mostNames).map((name) => inline(name, 80));
      const more = gone.length > mostNames ? ` and ${number(gone.length - mostNames)} more` : '';
      return `\n  - ${kind}: ${nameTexts.join(', ')}${more}`;
    });
    yield secrets.hide(`\n- **${name}** (${about})${kinds.join('')}`);
  }
  status.clear();
  yield '\n\n';
}

/** An entry under a heading. */
function entryText(
  { entry, by, step }: EntryRecord,
  { history }: SessionRecord,
  { secrets }: Exporting,
): string {
  const { id, frame, at, tokens } = entry;
  const { turn } = history.steps[step] ?? { turn: 0 };
  const time = new Date(at).toISOString();
  const head = [id, inline(by), `turn ${turn}`, frame, `${number(tokens)} tokens`, time].join(
    ' · ',
  );
  return `\n### ${head}\n\n${fenced(saidText(entry, secrets))}\n`;
}
