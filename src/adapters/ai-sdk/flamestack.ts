import type { Session, SessionTool } from '../../index.ts';
import type { CallParams, Model, PromptMessage } from './model.ts';
import { lateMessages } from '../late-messages.ts';
import { record, warnedOnce, type OnFault } from '../recorded-call.ts';
import { listOf } from './prompt.ts';
import { generate, stream, type Recording } from './recorded-model.ts';

/** What an agent of the AI SDK has beside its model. */
export interface FlamestackOptions<Tools extends object> {
  /** Its own tools, as the SDK has them. */
  readonly tools?: Tools;
  /** Which tools of the session it gets: those that fit its window, all, or none; `fitting` unless told. */
  readonly sessionTools?: 'fitting' | 'all' | 'none';
  /** Whether prompts have breakpoints of Anthropic's cache; false unless told. */
  readonly cacheControl?: boolean;
  /** Hears what went wrong with the recording, by which no call is lost; the console is warned once unless told. */
  readonly onFault?: OnFault;
}

/** A tool of the session, as the SDK has them. */
export interface FlamestackTool {
  readonly description: string;
  readonly inputSchema: never;
  execute(given: unknown, options: { readonly abortSignal?: AbortSignal }): Promise<string>;
}

/** The tools that a session may have. */
export type FlamestackToolName =
  | 'recall'
  | 'goal_update'
  | `frame_${'push' | 'pop' | 'plan' | 'start' | 'edit' | 'invalidate' | 'retry' | 'status'}`;

/** A session as the AI SDK takes it. What is `never` is a value of whichever version takes it. */
export interface Flamestack<Tools extends object> {
  /** For `generateText({ model, ...flame.options, prompt })`, `streamText` and agents; they record all that is said. */
  readonly options: {
    readonly tools: Tools & Readonly<Record<FlamestackToolName, FlamestackTool>>;
    /** Puts a model that is recorded in place of the model of each step. */
    prepareStep(given: { readonly model: unknown }): { readonly model: never };
    /** Records the results of the last step. */
    onStepFinish(step: {
      readonly response: { readonly messages: readonly object[] };
    }): Promise<void>;
  };
  /** For `wrapLanguageModel({ model, middleware: flame.middleware })`, where somebody else calls the SDK. */
  readonly middleware: {
    readonly specificationVersion: never;
    wrapGenerate(given: { readonly model: object; readonly params: object }): Promise<never>;
    wrapStream(given: { readonly model: object; readonly params: object }): Promise<never>;
  };
}

/**
 * A session for the AI SDK, versions 5 to 7. It owns the recording: what is new in a prompt is
 * appended, each step is asked with an assembly, and its answer is in the log before its tools run.
 */
export function flamestack<Tools extends object = object>(
  session: Session,
  {
    tools,
    sessionTools = 'fitting',
    cacheControl = false,
    onFault = warnedOnce(),
  }: FlamestackOptions<Tools> = {},
): Flamestack<Tools> {
  const recording = { session, cacheControl, onFault };
  const own = sessionTools === 'none' ? [] : session.tools(sessionTools);
  const all = { ...Object.fromEntries(own.map((one) => [one.name, toTool(one)])), ...tools };
  return {
    options: {
      tools: all as unknown as Flamestack<Tools>['options']['tools'],
      prepareStep: ({ model }) => ({ model: recordedModel(recording, model as Model) as never }),
      onStepFinish: ({ response }) =>
        record(session, {
          messages: () =>
            lateMessages(session, listOf(response.messages as readonly PromptMessage[])),
          onFault,
        }),
    },
    middleware: {
      specificationVersion: 'v3' as never,
      wrapGenerate: async ({ model, params }) =>
        (await generate(recording, model as Model, params as CallParams)) as never,
      wrapStream: async ({ model, params }) =>
        (await stream(recording, model as Model, params as CallParams)) as never,
    },
  };
}

/** A model that is recorded, in the version that it has. */
function recordedModel(recording: Recording, model: Model): Model {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (params) => generate(recording, model, params),
    doStream: (params) => stream(recording, model, params),
  };
}

/** A tool of the session; what it could not do is an error of the SDK's. */
function toTool(tool: SessionTool): FlamestackTool {
  const inputSchema = {
    [Symbol.for('vercel.ai.schema')]: true,
    [Symbol.for('vercel.ai.validator')]: true,
    jsonSchema: tool.parameters,
    validate: undefined,
  };
  return {
    description: tool.description,
    inputSchema: inputSchema as never,
    async execute(args, { abortSignal }) {
      const options = abortSignal === undefined ? {} : { signal: abortSignal };
      const { text, isError } = await tool.execute(args, options);
      if (isError) throw new Error(text);
      return text;
    },
  };
}
