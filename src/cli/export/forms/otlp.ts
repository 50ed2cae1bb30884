import { createHash } from 'node:crypto';
import { parts } from '../../../viewer/page/session/model/wire.ts';
import { version } from '../../call/version.ts';
import { toExchange } from '../../paper/exchange-json.ts';
import type { Exporting } from '../exporting.ts';
import { chatContent, toolContent } from './otlp-content.ts';
import { toProvider } from './otlp-provider.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import {
  readRecord,
  type EntryRecord,
  type FrameRecord,
  type SessionRecord,
} from '../session-record.ts';

// OpenTelemetry's traces as JSON, with the attributes that its conventions for generative AI name (v0.1.0).
// A session is a trace: an agent is invoked, frames are spans below it, in these models are asked and tools
// run, and a compression is one of its own. An id is made of what it names, so the same session gives the
// same spans. What was said stays out unless it is asked for, and so do titles, which people and models wrote.

/** A value of an attribute. */
type AnyValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

interface Attribute {
  readonly key: string;
  readonly value: AnyValue;
}

/** A span, as OTLP spells it in JSON. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 is internal, 3 a client. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  /** 2 is an error. */
  readonly status: { readonly code?: 2 };
}

/** Traces, as OTLP spells them in JSON. */
export interface TracesFile {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly Span[];
    }[];
  }[];
}

/** What an attribute may be made of; what is undefined or '' is left out. */
type AttributeValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** A session as spans of OpenTelemetry. */
export async function* otlpOf(exporting: Exporting): AsyncGenerator<string> {
  const record = await readRecord(exporting);
  const { withContent, secrets } = exporting;
  const file = tracesFile(record, withContent ? secrets : null);
  yield `${toExchange(file)}\n`;
}

/** A session as spans; `content` takes out of what was said what is to go; null where all of it stays out. */
export function tracesFile(record: SessionRecord, content: Secrets | null): TracesFile {
  const service = { 'service.name': 'flamestack', 'service.version': version() };
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(service) },
        scopeSpans: [
          { scope: { name: 'flamestack', version: version() }, spans: spansIn(record, content) },
        ],
      },
    ],
  };
}

/** Makes the span of something that is named by words, in a frame or by itself. */
type NewSpan = (input: {
  readonly id: string;
  readonly in: string | null;
  readonly name: string;
  readonly kind?: Span['kind'];
  readonly from: number;
  readonly to: number;
  readonly attributes: AttributeValues;
  readonly isError?: boolean;
}) => Span;

function spansIn(record: SessionRecord, content: Secrets | null): readonly Span[] {
  const { head, history, entries, frames } = record;
  const digest = (words: string, length: number): string =>
    createHash('sha256').update(`${head.session}\n${words}`).digest('hex').slice(0, length);
  const traceId = digest('trace', 32);
  const common = { 'gen_ai.conversation.id': head.session };
  const newSpan: NewSpan = ({ id, in: above, name, kind = 1, from, to, attributes, isError }) => ({
    traceId,
    spanId: digest(id, 16),
    ...(above !== null && { parentSpanId: digest(`frame ${above}`, 16) }),
    name,
    kind,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: toAttributes({ ...attributes, ...common }),
    status: isError === true ? { code: 2 } : {},
  });
  const clamped = clampIn(frames);
  const compressions = history.compressions.map(({ at, news }, index) => {
    const time = history.steps[at]!.at;
    return newSpan({
      id: `compression ${index}`,
      in: news.frame,
      name: 'compact',
      ...clamped(news.frame, time, time),
      attributes: {
        'flamestack.compression.number': index + 1,
        'flamestack.compression.by': news.by,
        'flamestack.compression.checkpoint': news.checkpoint,
        'flamestack.compression.from': news.from,
        'flamestack.compression.to': news.to,
        'flamestack.compression.tokens.before': news.before,
        'flamestack.compression.tokens.after': news.after,
        'flamestack.compression.names': news.names,
        'flamestack.compression.names.kept': news.kept,
      },
    });
  });
  return [
    ...frames.map((frame) => frameSpan(frame, { record, content, newSpan })),
    ...entries.flatMap((one, index) =>
      one.entry.role === 'assistant' ? [chatSpan(index, { record, content, newSpan })] : [],
    ),
    ...toolSpans({ record, content, newSpan }),
    ...compressions,
  ];
}

/** What the makers of spans are given. */
interface Making {
  readonly record: SessionRecord;
  readonly content: Secrets | null;
  readonly newSpan: NewSpan;
}

/** The root invokes the agent; another frame is a unit of its work. */
function frameSpan(frame: FrameRecord, { record, content, newSpan }: Making): Span {
  const { id, parent, title, status, from, to } = frame;
  const { agent, model, provider, head, history } = record;
  const name = content === null ? `frame ${id}` : `frame ${title}`;
  const shared = {
    'flamestack.frame.id': id,
    'flamestack.frame.status': status,
    'flamestack.frame.title': content === null ? undefined : title,
  };
  const span = { id: `frame ${id}`, in: parent, from, to, isError: status === 'failed' };
  if (parent !== null) return newSpan({ ...span, name, attributes: shared });
  const by = agent === '' ? 'flamestack' : agent;
  return newSpan({
    ...span,
    name: `invoke_agent ${by}`,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': toProvider(provider, model),
      'gen_ai.agent.name': by,
      'gen_ai.request.model': model,
      'flamestack.window': head.window,
      'flamestack.tokens.said': record.entries.reduce((sum, { entry }) => sum + entry.tokens, 0),
      'flamestack.compressions': history.compressions.length,
      ...shared,
    },
  });
}

/** An answer of a model: it was asked when what it answers had been said. */
function chatSpan(index: number, { record, content, newSpan }: Making): Span {
  const { entries, history } = record;
  const { entry, from, to, step } = entries[index]!;
  if (entry.role !== 'assistant') throw new Error('Only an assistant answers.');
  const { name: model, provider = '' } = entry.model ?? { name: record.model, ...record };
  // What the model was sent is what stood before its answer came.
  const sent = history.steps[step - 1] ?? history.steps[step]!;
  const counted = history.counts.find(({ at }) => at === step);
  const sizes = Object.fromEntries(
    parts.map((part, at) => [`flamestack.prompt.tokens.${part}`, sent.sizes[at]!]),
  );
  const isMade =
    sent.sizes[parts.indexOf('checkpoints')]! + sent.sizes[parts.indexOf('chronicle')]! > 0;
  const by = provider === '' ? (entry.provider?.name ?? '') : provider;
  return newSpan({
    id: `entry ${entry.id}`,
    in: entry.frame,
    name: model === '' ? 'chat' : `chat ${model}`,
    kind: 3,
    from,
    to,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': toProvider(by, model),
      'gen_ai.request.model': model,
      'gen_ai.response.model': entry.model?.name,
      'gen_ai.response.finish_reasons': entry.finish === undefined ? undefined : [entry.finish],
      'gen_ai.usage.input_tokens': counted?.counted,
      'gen_ai.usage.output_tokens': counted?.answered,
      'gen_ai.usage.cache_read.input_tokens': counted?.cached,
      // Only of a prompt that is known to have been sent.
      'gen_ai.conversation.compacted': counted !== undefined && isMade ? true : undefined,
      'flamestack.entry.id': entry.id,
      'flamestack.entry.tokens': entry.tokens,
      'flamestack.turn': history.steps[step]!.turn,
      ...sizes,
      ...(content === null ? {} : chatContent(entries, index, content)),
    },
  });
}

/** The runs of tools: from the call to its result, or to itself where none came. */
function toolSpans({ record, content, newSpan }: Making): readonly Span[] {
  const { entries } = record;
  const called = new Map<string, EntryRecord>();
  for (const one of entries)
    if (one.entry.role === 'assistant')
      for (const { id } of one.entry.toolCalls ?? []) if (id !== undefined) called.set(id, one);
  const clamped = clampIn(record.frames);
  return entries.flatMap((one) => {
    const { entry, by, from, to } = one;
    if (entry.role !== 'tool') return [];
    const call = called.get(entry.toolCallId ?? '');
    return [
      newSpan({
        id: `entry ${entry.id}`,
        in: entry.frame,
        name: `execute_tool ${by}`,
        ...clamped(entry.frame, Math.min(call?.to ?? from, to), to),
        isError: entry.isError === true,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': by,
          'gen_ai.tool.call.id': entry.toolCallId,
          'gen_ai.tool.type': 'function',
          'error.type': entry.isError === true ? '_OTHER' : undefined,
          'flamestack.entry.id': entry.id,
          'flamestack.entry.tokens': entry.tokens,
          ...(content === null ? {} : toolContent(entry, call?.entry, content)),
        },
      }),
    ];
  });
}

/** Puts a stretch of time into its frame. */
function clampIn(frames: readonly FrameRecord[]) {
  const framesById = new Map(frames.map((frame) => [frame.id, frame]));
  return (id: string, from: number, to: number): { readonly from: number; readonly to: number } => {
    const { from: first, to: last } = framesById.get(id) ?? { from, to };
    const into = (time: number): number => Math.min(last, Math.max(first, time));
    return { from: into(from), to: into(to) };
  };
}

const nanoseconds = (at: number): string => String(BigInt(Math.round(at)) * 1_000_000n);

const toAttributes = (values: AttributeValues): readonly Attribute[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [{ key, value: toValue(value) }],
  );

function toValue(value: string | number | boolean | readonly string[]): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return { intValue: String(Math.round(value)) };
  if (typeof value === 'boolean') return { boolValue: value };
  return { arrayValue: { values: value.map(toValue) } };
}
