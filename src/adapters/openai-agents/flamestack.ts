import { tool, type FunctionTool, type Model } from '@openai/agents';
import type { Session } from '../../index.ts';
import { warnedOnce, type OnFault } from '../recorded-call.ts';
import { recordedModel } from './recorded-model.ts';

/** A session as OpenAI's agents take it. */
export interface FlamestackAgents {
  /** For `new Agent({ model: flame.model(model) })`: a model that is recorded, and asked with the assembly. */
  model(model: Model): Model;
  /** The tools of the session, for `new Agent({ tools: [...tools, ...flame.tools] })`. */
  readonly tools: FunctionTool[];
}

/** Which tools of its session an agent of OpenAI's gets. */
export interface FlamestackAgentsOptions {
  /** Those that fit the window of the session, or all; `fitting` unless told. */
  readonly sessionTools?: 'fitting' | 'all';
  /** Hears what went wrong with the recording, by which no call is lost; the console is warned once unless told. */
  readonly onFault?: OnFault;
}

/**
 * A session for OpenAI's agents. It owns the recording: what is new in a request is appended, the model is
 * asked with an assembly, and its answer is in the log before its tools run.
 */
export function flamestack(
  session: Session,
  { sessionTools = 'fitting', onFault = warnedOnce() }: FlamestackAgentsOptions = {},
): FlamestackAgents {
  return {
    model: (model) => recordedModel({ session, onFault }, model),
    tools: session.tools(sessionTools).map((one) =>
      tool({
        name: one.name,
        description: one.description,
        parameters: one.parameters as never,
        strict: false,
        async execute(args, _, details) {
          const signal = details?.signal;
          return String(await one.execute(args, signal === undefined ? {} : { signal }));
        },
      }),
    ),
  };
}
