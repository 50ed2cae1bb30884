import {
  isEngineError,
  type Message,
  type Session,
  type SessionFact,
  type Truncation,
  type TruncationRule,
} from '../../../src/index.ts';
import type { Served, Setup } from './server.ts';

/** What a server did to a prompt: nothing, dropped its first messages, cut out its middle, or refused it. */
export type CutKind = 'whole' | 'dropped' | 'middle' | 'refused';

/** One request, what became of it, and what was said of it on the very call. */
export interface Request {
  readonly fate: CutKind;
  /** The prompt in our own tokens. */
  readonly estimate: number;
  /** The server's count of what it kept; null where it left it out. */
  readonly counted: number | null;
  /** The window of the server, where it was looked up; null elsewhere. */
  readonly window: number | null;
  readonly verdict: Truncation;
  /** The rule that found it; null for none. */
  readonly rule: TruncationRule | null;
}

/** Sends what a session would, and appends the answer, or the one of a real session; what the session suspects by then is the verdict. */
export async function request(
  session: Session,
  { server, model }: Served,
  { looks, answer }: Pick<Setup, 'looks'> & { readonly answer?: Message | undefined },
): Promise<Request> {
  const heard: Suspicion[] = [];
  const off = session.on('truncation.suspected', (fact) => heard.push(fact));
  const assembly = await session.assemble();
  const about = { estimate: assembly.budget.total };
  try {
    const { message, usage } = await model.reply({ assembly });
    const isLooked = looks && usage.inputTokens === undefined;
    const window = isLooked ? (await model.facts()).loaded : null;
    if (window !== null) await session.report({ assembly: assembly.id, window });
    await session.append(answer ?? message, { assembly: assembly.id, usage });
    const fate = cutKindOf(server);
    return { ...about, fate, counted: usage.inputTokens ?? null, window, ...surest(heard) };
  } catch (error) {
    if (!isEngineError(error, 'MODEL_OVERFLOW')) throw error;
    const { truncation } = await session.report({ assembly: assembly.id, error });
    const { rule } = surest(heard);
    if (answer !== undefined) await session.append(answer);
    return { ...about, fate: 'refused', counted: null, window: null, verdict: truncation, rule };
  } finally {
    off();
  }
}

function cutKindOf({ log }: Served['server']): CutKind {
  const call = log.findLast(({ path }) => path === '/api/chat');
  if (call === undefined) throw new Error('The server was asked nothing');
  if (call.middle > 0) return 'middle';
  return call.dropped.length > 0 ? 'dropped' : 'whole';
}

type Suspicion = Pick<
  Extract<SessionFact, { type: 'truncation.suspected' }>,
  'rule' | 'truncation'
>;

function surest(heard: readonly Suspicion[]): Pick<Request, 'verdict' | 'rule'> {
  const [first = null] = heard.toSorted((one) => (one.truncation === 'certain' ? -1 : 1));
  return { verdict: first?.truncation ?? 'none', rule: first?.rule ?? null };
}
