import type { Message } from '../../core/messages/message.ts';
import type { Session } from '../../engine/session/session.ts';
import { make, type Move } from './move.ts';
import { hearReport, witnessMessage, witnessRedaction, type Witness } from './witness.ts';

/** A session and the witness of all that is done to it. */
export interface WitnessedSession {
  readonly session: Session;
  readonly witness: Witness;
  /** Reads the session from its journal; `line` says where it is asked for. */
  reopen(line: number, tools?: readonly unknown[]): Promise<void>;
}

/** What moves share. */
export interface MovePlay {
  /** Ids of frames by the names that moves gave them. */
  readonly names: Map<string, string>;
  readonly line: number;
  readonly tools: readonly unknown[];
}

/** Takes down which tools assemblies are asked for with. */
export function offerTools(
  { witness }: WitnessedSession,
  tools: readonly unknown[],
): readonly unknown[] {
  witness.tools = tools.length === 0 ? 0 : witness.count(JSON.stringify(tools));
  return tools;
}

/** Carries a move out, and the witness hears of it. */
export async function takeMove(
  watched: WitnessedSession,
  move: Move,
  moving: MovePlay,
): Promise<void> {
  const { witness } = watched;
  witness.asked ||= move.type === 'compress';
  if (move.type === 'tools') {
    await watched.session.assemble({ tools: moving.tools });
  } else if (move.type === 'reopen') {
    await watched.reopen(moving.line, witness.tools === 0 ? [] : moving.tools);
    if (move.options !== undefined) await configure(watched, move.options);
  } else if (move.type === 'answer') {
    const { id, budget } = await watched.session.assemble({ tools: moving.tools });
    const message: Message = { role: 'assistant', content: move.content };
    const usage = { inputTokens: Math.round(budget.total * move.ratio) };
    await watched.session.append(message, { assembly: id, usage });
    witnessMessage(witness, message);
    hearReport(witness, move.ratio);
  } else if (move.type === 'configure') {
    await configure(watched, move.options);
  } else {
    await make(watched.session, move, moving.names);
    if (move.type === 'append')
      for (const message of move.messages) witnessMessage(witness, message);
    if (move.type === 'redact') witnessRedaction(witness, move.back);
  }
}

async function configure({ session, witness }: WitnessedSession, options: Options): Promise<void> {
  await session.configure(options);
  const { window, reserve } = session.state.budget;
  Object.assign(witness, { window, reserve, system: options.system ?? witness.system });
}

type Options = NonNullable<Extract<Move, { type: 'reopen' }>['options']>;
