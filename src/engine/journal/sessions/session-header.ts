import { isDeepStrictEqual } from 'node:util';
import { whereaboutsOf, type Whereabouts } from '../../../core/budget/options.ts';
import { isHuman, personText } from '../../../core/messages/message.ts';
import type { ModelName } from '../../../core/messages/model-name.ts';
import type { Input } from '../../../core/state/input.ts';
import type { State } from '../../../core/state/state.ts';
import { frameOf } from '../../../core/frames/tree.ts';
import { headOf } from '../../../core/text/sentences.ts';
import { isEngineError } from '../../../core/values/error.ts';
import { frameId } from '../../../core/values/id.ts';
import { sessionKey } from '../../../store/key.ts';
import type { RecordStore } from '../../../store/store.ts';

// The row by which a session is listed. What it says follows from the rows of its session, and is there so that
// a list of thousands reads one row each: what does not change once it is known stands in it from the step on that
// told it; where the session rests is noted when nobody holds it any more, and the next step takes that away.

/** The row of the kind `session`. */
export interface SessionHeader extends Whereabouts {
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly window: number;
  /** What a host called it, or the first request of a person. */
  readonly title?: string;
  /** When the first entry was said. */
  readonly began?: number;
  /** The model that answered last, or was named for the session since, and who serves it. */
  readonly model?: string;
  readonly provider?: string;
  /** Left out until it was noted, and from the step on that follows. */
  readonly rest?: SessionRest;
}

/** A session when it was let go of. */
export interface SessionRest {
  /** The record of the journal that was the newest. */
  readonly seq: number;
  /** When the newest entry was said; the session's beginning for none. */
  readonly said: number;
  /** When that was written. */
  readonly updated: number;
  readonly turns: number;
  readonly tokens: number;
  /** What the next prompt would hold, in tokens of its server once that has counted. */
  readonly context: number;
  /** How many of its frames say more than their title. */
  readonly frames: number;
}

/** Longest title, in characters. */
const longestTitle = 120;

/** The header of a session; null where there is none, or it is damaged. */
export async function readHeader(store: RecordStore, id: string): Promise<SessionHeader | null> {
  try {
    return ((await store.get('session', sessionKey(id))) as SessionHeader | undefined) ?? null;
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return null;
    throw error;
  }
}

/** A step, as far as a header tells of it. */
interface HeaderStep {
  readonly before: State | null;
  readonly state: State;
  readonly input: Input;
  /** When its entries were said. */
  readonly at: number;
}

/** The header after a step; the very one where nothing of it changes. One that is lost comes back with another window. */
export function headerAfter(header: SessionHeader | null, step: HeaderStep): SessionHeader | null {
  const { before, state, input } = step;
  const isSame =
    header?.rest === undefined && before?.options === state.options && !tells(header, input);
  const isLost = header === null && before !== null;
  if (isSame || (isLost && before.options.window === state.options.window)) return header;
  const { created, options } = state;
  const { rest: _, model: __, provider: ___, ...known } = header ?? {};
  const after = {
    ...known,
    created,
    window: options.window,
    ...whereaboutsOf(options),
    ...titleAfter(header, step),
    ...modelAfter(header, step),
    ...(input.type === 'append' ? { began: header?.began ?? step.at } : {}),
  };
  return isDeepStrictEqual(after, header) ? header : after;
}

/** Whether an input may tell what a header lacks. */
function tells(header: SessionHeader | null, input: Input): boolean {
  if (input.type !== 'append') return input.type === 'recover';
  if (header?.title === undefined || header.began === undefined) return true;
  const { name = header.model, provider = header.provider } = modelIn(input) ?? {};
  return name !== header.model || provider !== header.provider;
}

/** The model of the newest answer that names one. */
function modelIn(input: Input): ModelName | undefined {
  if (input.type !== 'append') return undefined;
  const answers = input.entries.flatMap(({ message }) =>
    message.role === 'assistant' ? (message.model ?? []) : [],
  );
  return answers.at(-1);
}

function modelAfter(
  header: SessionHeader | null,
  { before, state, input }: HeaderStep,
): Pick<SessionHeader, 'model' | 'provider'> {
  const { options } = state;
  const isNamed = before?.options.model !== options.model;
  const own = isNamed ? { name: options.model, provider: options.provider } : {};
  const kept = { name: header?.model, provider: header?.provider };
  const { name, provider } = modelIn(input) ?? (own.name == null ? kept : own);
  if (name === undefined || name === null) return {};
  return { model: name, ...(provider == null ? {} : { provider }) };
}

function titleAfter(
  header: SessionHeader | null,
  { state, input }: HeaderStep,
): Pick<SessionHeader, 'title'> {
  const { title } = frameOf(state.frames, frameId(0));
  if (title !== state.session) return { title };
  if (header?.title !== undefined || input.type !== 'append') return {};
  const request = input.entries.find(({ message }) => isHuman(message));
  const text = request === undefined ? '' : titleIn(personText(request.message));
  return text === '' ? {} : { title: text };
}

/** A plan that is given to be carried out, under the title that it has: `Implement the following plan:` says of none what it is. */
const plan = /^\s{0,20}[^\n:]{1,60}:\s{1,8}#{1,3} {1,4}(?:[Pp]lan: )?(?<title>[^\n]{3,200})/;

/** The first words of a request, or the title of the plan that it gives. */
function titleIn(text: string): string {
  const begun = text.slice(0, 10 * longestTitle);
  const line = (plan.exec(begun)?.groups?.['title'] ?? begun).replace(/\s+/g, ' ').trim();
  if (line.length <= longestTitle) return line;
  const head = headOf(line, longestTitle - 1);
  const space = head.lastIndexOf(' ');
  return `${space > longestTitle / 2 ? head.slice(0, space) : head}…`;
}
