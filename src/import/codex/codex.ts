import type { AssistantMessage, Message } from '../../core/messages/message.ts';
import { headRecords } from '../source/head.ts';
import { answeredBy } from '../source/model.ts';
import { lineKey, toSession } from '../source/key.ts';
import {
  appendAll,
  knownPassage,
  stepsOfPassages,
  type Passage,
  type MessageOrigin,
} from '../source/passage.ts';
import { toRecord, toTime, type Json } from '../source/record.ts';
import type { Importer, SourceLine, ReadOptions, Source, Step } from '../source/step.ts';
import { toTitle } from '../source/title.ts';
import {
  assistantItems,
  machineItem,
  replacementOf,
  resultItem,
  servedResult,
  userItem,
} from './message.ts';
import { isUnit, outlineOf, type CodexBlock, type LineGroup } from './outline.ts';
import { isRollout, itemKindOf, rolloutOf, type CodexItemKind } from './record.ts';

/** Rollouts of Codex, of bare items or of envelopes. */
export const codex: Importer = {
  format: 'codex',
  signs: 'lines of type "session_meta" or "response_item", or bare items of the Responses API',
  detect: (head) => headRecords(head).some(isRollout),
  read,
};

async function* read(source: Source, options: ReadOptions = {}): AsyncIterable<Step> {
  const { spots, id, title, place, system, provider, first } = await outlineOf(
    source,
    options.signal,
  );
  yield {
    type: 'session',
    id: toSession(id, first),
    ...(system === undefined ? {} : { system }),
    ...(title === undefined ? {} : { title: toTitle(title) }),
    ...place,
  };
  const passages = spots.map((spot) => passageOf(spot, provider));
  yield* stepsOfPassages(source, passages, options);
}

function passageOf(spot: CodexBlock, provider: string | undefined): Passage {
  if (!isUnit(spot)) return knownPassage(spot);
  const { making } = spot;
  const by = answeredBy(spot.model, provider);
  return { lines: spot.lines, toSteps: (lines) => unitSteps({ making, by }, lines) };
}

/** What the items of a unit make, and the model that made them. */
interface UnitMaking extends Pick<LineGroup, 'making'> {
  readonly by: Pick<AssistantMessage, 'model'>;
}

function* unitSteps({ making, by }: UnitMaking, lines: readonly SourceLine[]): Generator<Step> {
  const [first] = lines;
  const record = first === undefined ? 'gone' : toRecord(first.text);
  if (first === undefined || typeof record === 'string') return;
  const place = {
    key: lineKey(first.line, first.text),
    line: first.line,
    at: toTime(record['timestamp']),
    by,
  };
  const payloads = lines.flatMap(payloadOf);
  if (making !== 'compacted') yield* itemSteps(making, payloads, place);
  else yield* replacementSteps(payloads.flatMap(replacementOf), place);
}

function payloadOf({ text }: SourceLine): readonly Json[] {
  const record = toRecord(text);
  const rollout = typeof record === 'string' ? record : rolloutOf(record);
  return typeof rollout !== 'string' && 'payload' in rollout ? [rollout.payload] : [];
}

/** Where items stand, and the model that made an answer of them. */
type ItemOrigin = MessageOrigin & Pick<UnitMaking, 'by'>;

/** Steps of the items of one unit; results of the server's own tools get keys of their own. */
function* itemSteps(
  making: CodexItemKind,
  items: readonly Json[],
  { by, ...place }: ItemOrigin,
): Generator<Step> {
  if (making !== 'assistant') {
    yield* appendAll(
      items.flatMap((item) => messagesOf(making, item)),
      place,
    );
    return;
  }
  const answer = assistantItems(items);
  if (answer !== undefined)
    yield* appendAll([{ ...answer, ...by }], { ...place, isJoined: items.length > 1 });
  for (const [index, item] of items.entries()) {
    const result = servedResult(item);
    if (result !== undefined)
      yield* appendAll([result], { ...place, key: `${place.key}:served ${index}` });
  }
}

function messagesOf(making: Exclude<CodexItemKind, 'assistant'>, item: Json): readonly Message[] {
  switch (making) {
    case 'result':
      return [resultItem(item)];
    case 'text':
      return userItem(item);
    case 'machine':
    case 'system':
      return [machineItem(item)];
    case 'nothing':
      return [];
  }
}

/** Steps of the items that a compaction kept; an unreadable one is a skip. */
function* replacementSteps(items: readonly Json[], place: ItemOrigin): Generator<Step> {
  for (const [index, item] of items.entries()) {
    const itemKind = itemKindOf(item);
    if (typeof itemKind === 'string')
      yield {
        type: 'skip',
        line: place.line,
        reason: `item ${index + 1} of its history ${itemKind}`,
      };
    else yield* itemSteps(itemKind.making, [item], { ...place, key: `${place.key}:${index}` });
  }
}
