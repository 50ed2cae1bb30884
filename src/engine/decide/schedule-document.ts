import { isDestructive } from '../../core/text/destructive.ts';
import type { DocumentInput, DocumentReason } from '../../core/state/document-schedule.ts';
import { documentOf } from '../../core/documents/build-document.ts';
import { printDocument } from '../../core/documents/document.ts';
import { fail } from '../../core/values/error.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input, InputOf } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import type { Draft } from '../step/draft.ts';
import { isDue, measure } from '../step/measure.ts';

// When a document is due, and with what in it. It is decided on within the step
// that made it due, as a text and a row of the outbox; `document-writer.ts` writes
// its file once the step is durable.

/** Turns between two documents, unless something else makes one due. */
const turns = 10;

/** Share of what is available at which the working part makes a document due, once in an epoch. */
const halfAvailable = 0.5;

/** Inputs that make no document due: the first, and those about documents. */
const silent: ReadonlySet<Input['type']> = new Set([
  'create',
  'documents',
  'document.settle',
  'document.fail',
]);

/** Whether an input of this type may make a document due. */
export function maySchedule(type: Input['type']): boolean {
  return !silent.has(type);
}

/** Applies an input about documents; throws `DOCUMENTS_OFF`. */
export function takeDocumentInput(draft: Draft, input: DocumentInput): void {
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
      requestDocument(draft, 'command');
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

/** The states of a step that its document may show. */
export interface StepStates {
  /** Before the step. */
  readonly before: State | null;
  /** After the input was applied, before room was made. */
  readonly applied: State;
  /** How many facts there were then. */
  readonly factsApplied: number;
}

/** Requests a document where this step made one due; one for all its reasons. */
export function scheduleDocument(draft: Draft, input: Input, states: StepStates): void {
  const { before, applied } = states;
  if (before === null || !draft.state.diary.isKept || !maySchedule(input.type)) return;
  if (draft.facts.some(({ type }) => type === 'document.requested')) return;
  const { facts } = draft;
  const happened = (...types: readonly Fact['type'][]): boolean =>
    facts.some(({ type }) => types.includes(type));
  if (isShort(draft, input, before)) {
    // The state before still shows what the compression shortens.
    const isPast = facts
      .slice(0, states.factsApplied)
      .some(({ type }) => type === 'compression.started');
    requestDocument(draft, 'truncation', isPast && input.type !== 'append' ? before : applied);
    return;
  }
  if (input.type === 'append' && isRisky(draft.state, input)) requestDocument(draft, 'destructive');
  else if (happened('frame.popped', 'frame.invalidated')) requestDocument(draft, 'pop');
  else if (happened('frame.pushed', 'frame.started', 'frame.retried'))
    requestDocument(draft, 'push');
  else if (locksDecision(before, draft.state)) requestDocument(draft, 'decision');
  else if (input.type !== 'restore' && passesHalf(draft.state)) requestDocument(draft, 'half');
  else if (Math.floor(draft.state.turn / turns) > Math.floor(before.turn / turns))
    requestDocument(draft, 'turns');
}

/** Whether the window ran short in this step, even where `compression: 'manual'` leaves making room to somebody else. */
function isShort({ facts, state }: Draft, { type }: Input, before: State): boolean {
  if (facts.some((fact) => fact.type === 'compression.started')) return true;
  if (facts.some((fact) => fact.type === 'session.rolledOver')) return true;
  return type === 'append' && isDue(state) && !isDue(before);
}

function isRisky({ options }: State, { entries }: InputOf<'append'>): boolean {
  return entries.some(
    ({ message }) =>
      message.role === 'assistant' &&
      (message.toolCalls ?? []).some((call) => isDestructive(call, options.destructive ?? null)),
  );
}

/** Whether a decision was locked between two states. */
function locksDecision(before: State, after: State): boolean {
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
  return human + working > halfAvailable * available;
}

function requestDocument(draft: Draft, reason: DocumentReason, of: State = draft.state): void {
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
