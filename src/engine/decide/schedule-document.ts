import { callsOf } from '../../core/commands/scripted-calls.ts';
import { isDestructive } from '../../core/commands/destructive.ts';
import { isLongRunning } from '../../core/commands/long-running.ts';
import { toKept } from '../../core/progress/document-actions.ts';
import { workOf } from '../../core/progress/session-work.ts';
import {
  documentId,
  type DocumentInput,
  type DocumentReason,
} from '../../core/state/document-schedule.ts';
import { documentSince, tellsNothing } from '../../core/progress/build-document.ts';
import { printDocument } from '../../core/documents/document.ts';
import { fail } from '../../core/values/error.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input, InputOf } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import type { ToolCall } from '../../core/messages/message.ts';
import type { Draft } from '../step/draft.ts';
import { isDue, measure } from '../step/measure.ts';

// When a document is due, and with what in it. It is decided on within the step
// that made it due, as a text and a row of the outbox; `document-writer.ts` writes
// its file once the step is durable.

/** Reasons for which a document is left out that would tell nothing new. */
const mayBeLeftOut: ReadonlySet<DocumentReason> = new Set([
  'exchanges',
  'half',
  'long',
  'truncation',
]);

/** Turns and messages between two documents, unless something else makes one due: ten exchanges, of a request and what answered it. */
const exchanges = { turns: 10, messages: 20 } as const;

/** Messages since the last document before one is written that tells nothing new, or because a call runs long. */
const leastBetween = 8;

/** Share of what is available that makes a document due when the working part passes it. */
const halfAvailable = 0.5;

/** Inputs that make no document due: the first, and those about documents. */
const silent: ReadonlySet<Input['type']> = new Set([
  'create',
  'documents',
  'document.settle',
  'document.fail',
  'page',
]);

/** Whether an input of this type may make a document due. */
export function maySchedule(type: Input['type']): boolean {
  return !silent.has(type);
}

/** Applies an input about documents; throws `DOCUMENTS_OFF`. */
export function takeDocumentInput(draft: Draft, input: DocumentInput): void {
  const { documents, session } = draft.state;
  switch (input.type) {
    case 'documents':
      if (documents.isKept === input.isKept) return;
      draft.record({ type: 'documents.changed', isKept: input.isKept });
      if (!input.isKept)
        for (const { key } of documents.pending)
          draft.record({ type: 'document.failed', key, reason: 'no documents are kept any more' });
      return;
    case 'document':
      if (!documents.isKept)
        throw fail('DOCUMENTS_OFF', `Session "${session}" keeps no documents`, { session });
      requestDocument(draft, 'command');
      return;
    case 'document.settle':
      if (documents.pending.some(({ key }) => key === input.key))
        draft.record({ type: 'document.written', key: input.key, file: input.file });
      return;
    case 'page': {
      const { added, removed, human, reason, kept } = input;
      if (reason === '') draft.record({ type: 'page.edited', added, removed, human });
      else draft.record({ type: 'page.refused', reason, kept });
      return;
    }
    case 'document.fail':
      if (documents.pending.some(({ key }) => key === input.key))
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
  if (before === null || !draft.state.documents.isKept || !maySchedule(input.type)) return;
  if (draft.facts.some(({ type }) => type === 'document.requested')) return;
  const { facts } = draft;
  const happened = (...types: readonly Fact['type'][]): boolean =>
    facts.some(({ type }) => types.includes(type));
  if (isShort(draft, input, before)) {
    // The state before still shows what the compression shortens.
    const isPast = facts
      .slice(0, states.factsApplied)
      .some(({ type }) => type === 'compression.started');
    const of = isPast && input.type !== 'append' ? before : applied;
    requestDocument(draft, 'truncation', { of, isAsked: input.type === 'compress' });
    return;
  }
  const { entryCount, turn } = draft.state;
  const { id, messages, turns } = draft.state.documents.told;
  const isLater = (least: number): boolean => entryCount - messages >= least;
  const view = happened('chronicle.written') ? null : before;
  const request = (reason: DocumentReason): void =>
    requestDocument(draft, reason, { before: view });
  if (input.type === 'append' && isRisky(draft.state, input)) request('destructive');
  else if (happened('frame.popped', 'frame.invalidated')) request('pop');
  else if (happened('frame.pushed', 'frame.started', 'frame.retried')) request('push');
  else if (locksDecision(before, draft.state)) request('decision');
  else if (input.type !== 'restore' && !passesHalf(before) && passesHalf(draft.state))
    request('half');
  else if (turn - turns >= exchanges.turns || isLater(exchanges.messages)) request('exchanges');
  else if (
    input.type === 'append' &&
    (id === '' || isLater(leastBetween)) &&
    isLong(draft.state, input)
  )
    request('long');
}

/** Whether the window ran short in this step, even where `compression: 'manual'` leaves making room to somebody else. */
function isShort({ facts, state }: Draft, { type }: Input, before: State): boolean {
  if (facts.some((fact) => fact.type === 'compression.started')) return true;
  if (facts.some((fact) => fact.type === 'session.rolledOver')) return true;
  return type === 'append' && isDue(state) && !isDue(before);
}

/** Whether a message of an append makes a call that cannot be taken back. */
const isRisky = ({ options }: State, input: InputOf<'append'>): boolean =>
  callsGiven(input).some((call) => isDestructive(call, options.destructive ?? null));

/** Whether a message of an append makes a call that runs long. */
const isLong = ({ options }: State, input: InputOf<'append'>): boolean =>
  callsGiven(input).some((call) => isLongRunning(call, options.longRunning ?? null));

const callsGiven = ({ entries }: InputOf<'append'>): readonly ToolCall[] =>
  entries.flatMap(({ message }) => callsOf(message));

/** Whether a decision was locked between two states. */
function locksDecision(before: State, after: State): boolean {
  if (before.goal === after.goal) return false;
  const locked = (state: State): readonly string[] =>
    (state.goal?.decisions ?? []).flatMap((one) => (one.locked ? [one.text] : []));
  const known = new Set(locked(before));
  return locked(after).some((text) => !known.has(text));
}

/** Whether working is above half of what is available. */
function passesHalf(state: State): boolean {
  const { human, working, available } = measure(state);
  return human + working > halfAvailable * available;
}

/** What a document is made of. */
interface DocumentSource {
  /** What stands; the state of the draft unless told. */
  readonly of?: State;
  /** What a frame that was left still showed. */
  readonly before?: State | null;
  /** Whether somebody asked for what makes it due, so that it is written in any case. */
  readonly isAsked?: boolean;
}

/** Requests a document of what was not told yet. */
function requestDocument(
  draft: Draft,
  reason: DocumentReason,
  { of = draft.state, before = null, isAsked = false }: DocumentSource = {},
): void {
  const { session, seq, entryCount, documents } = draft.state;
  const key = `${seq + 1}`;
  const { at } = draft;
  const stamp = { id: documentId(session, key), at, reason };
  const { part } = draft;
  const work = workOf(of, draft.bodies, { before, part });
  const document = part(() => documentSince(of, work, { stamp, baseline: documents.told }));
  const isSoon = documents.told.id !== '' && entryCount - documents.told.messages < leastBetween;
  if (isSoon && !isAsked && mayBeLeftOut.has(reason) && tellsNothing(document)) return;
  draft.record({
    type: 'document.requested',
    key,
    reason,
    text: draft.write(printDocument({ ...document, messages: entryCount })),
    at,
    messages: entryCount,
    list: toKept(work.list),
  });
}
