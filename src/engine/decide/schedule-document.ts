import { isDestructive } from '../../core/text/destructive.ts';
import type { DocumentInput, DocumentReason } from '../../core/state/document-schedule.ts';
import { documentOf } from '../../core/documents/build-document.ts';
import { printDocument } from '../../core/documents/document.ts';
import { fail } from '../../core/values/error.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import type { Draft } from '../step/draft.ts';
import { isDue, measure } from '../step/measure.ts';

// When a document is due, and with what in it. It is decided on within the step
// that made it due, as a text and a row of the outbox; `pages.ts` puts it into
// its file once that is durable.

/** Turns from one document to the next, unless something else comes first. */
const turns = 10;

/** Share of what is available that working may take before where the session stands is written down. */
const half = 0.5;

/** Steps that make none due: the first, and those about documents that are decided on. */
const silent: ReadonlySet<Input['type']> = new Set([
  'create',
  'documents',
  'document.settle',
  'document.fail',
]);

/** Whether a step of this type may make a document due. */
export function mayNote(type: Input['type']): boolean {
  return !silent.has(type);
}

/** Takes in what comes about documents. */
export function takeDiary(draft: Draft, input: DocumentInput): void {
  const { diary, session } = draft.state;
  switch (input.type) {
    case 'documents':
      if (diary.isKept === input.isKept) return;
      draft.record({ type: 'documents.changed', isKept: input.isKept });
      if (!input.isKept)
        for (const { key } of diary.pending)
          draft.record({ type: 'document.failed', key, reason: 'no documents are kept any more' });
      return;
    case 'document':
      if (!diary.isKept)
        throw fail('DOCUMENTS_OFF', `Session "${session}" keeps no documents`, { session });
      write(draft, 'command');
      return;
    case 'document.settle':
      if (diary.pending.some(({ key }) => key === input.key))
        draft.record({ type: 'document.written', key: input.key, file: input.file });
      return;
    case 'document.fail':
      if (diary.pending.some(({ key }) => key === input.key))
        draft.record({ type: 'document.failed', key: input.key, reason: input.reason });
  }
}

/** The states of a step that its document may be drawn up of. */
export interface Moments {
  /** Before the step. */
  readonly before: State | null;
  /** After the input was taken, before room was made. */
  readonly taken: State;
  /** How many facts there were then. */
  readonly told: number;
}

/** Decides on a document where this step made one due; one for all its reasons. */
export function keepDiary(draft: Draft, input: Input, moments: Moments): void {
  const { before, taken } = moments;
  if (before === null || !draft.state.diary.isKept || !mayNote(input.type)) return;
  if (draft.facts.some(({ type }) => type === 'document.requested')) return;
  const { facts } = draft;
  const tells = (...types: readonly Fact['type'][]): boolean =>
    facts.some(({ type }) => types.includes(type));
  if (isShort(draft, input, before)) {
    // What it is about to shorten still stands there.
    const isPast = facts.slice(0, moments.told).some(({ type }) => type === 'compression.started');
    write(draft, 'truncation', isPast && input.type !== 'append' ? before : taken);
    return;
  }
  if (input.type === 'append' && isRisky(draft.state, input)) write(draft, 'destructive');
  else if (tells('frame.popped', 'frame.invalidated')) write(draft, 'pop');
  else if (tells('frame.pushed', 'frame.started', 'frame.retried')) write(draft, 'push');
  else if (locks(before, draft.state)) write(draft, 'decision');
  else if (input.type !== 'restore' && passesHalf(draft.state)) write(draft, 'half');
  else if (Math.floor(draft.state.turn / turns) > Math.floor(before.turn / turns))
    write(draft, 'turns');
}

/** Whether the window ran short with this step, whoever makes room: the engine, or with `compression: 'manual'` somebody else. */
function isShort({ facts, state }: Draft, { type }: Input, before: State): boolean {
  if (facts.some((fact) => fact.type === 'compression.started')) return true;
  if (facts.some((fact) => fact.type === 'session.rolledOver')) return true;
  return type === 'append' && isDue(state) && !isDue(before);
}

function isRisky({ options }: State, { entries }: Extract<Input, { type: 'append' }>): boolean {
  return entries.some(
    ({ message }) =>
      message.role === 'assistant' &&
      (message.toolCalls ?? []).some((call) => isDestructive(call, options.destructive ?? null)),
  );
}

/** Whether a decision is locked that was not. */
function locks(before: State, after: State): boolean {
  if (before.goal === after.goal) return false;
  const locked = (state: State): readonly string[] =>
    (state.goal?.decisions ?? []).flatMap((one) => (one.locked ? [one.text] : []));
  const known = new Set(locked(before));
  return locked(after).some((text) => !known.has(text));
}

/** Whether working is above half of what is available, for the first time in this epoch. */
function passesHalf(state: State): boolean {
  if (state.diary.half === state.epoch) return false;
  const { human, working, available } = measure(state);
  return human + working > half * available;
}

function write(draft: Draft, reason: DocumentReason, of: State = draft.state): void {
  const { session, seq, entries, epoch } = draft.state;
  const key = `${seq + 1}`;
  const { at } = draft;
  const document = documentOf(of, draft.bodies, { id: `${session}/${key}`, at, reason });
  const isHalf = passesHalf(draft.state);
  draft.record({
    type: 'document.requested',
    key,
    reason,
    text: draft.write(printDocument({ ...document, messages: entries })),
    at,
    messages: entries,
    ...(isHalf ? { half: epoch } : {}),
  });
}
