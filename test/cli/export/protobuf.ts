import { isDeepStrictEqual } from 'node:util';
import otlp from '@opentelemetry/otlp-transformer/build/src/generated/root.js';

/** A message of the definition that OpenTelemetry's own exporter sends. */
interface Definition {
  fromObject(value: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

const { opentelemetry } = otlp as unknown as {
  readonly opentelemetry: {
    readonly proto: { readonly trace: { readonly v1: { readonly TracesData: Definition } } };
  };
};

/** Ids are bytes, which OTLP writes as hexadecimal digits in JSON, each of a length of its own. */
const idLengths: Readonly<Record<string, number>> = { traceId: 32, spanId: 16, parentSpanId: 16 };

/**
 * Traces in JSON as what their definition has after they were sent: encoded to bytes, and decoded. Throws where
 * it would be something else, since a field is unknown, or a value is of another type.
 */
export function sentTraces(json: string): object {
  const given = JSON.parse(json, (name, value: unknown) => {
    if (!Object.hasOwn(idLengths, name)) return value;
    const digits = String(value);
    if (!/^[\da-f]+$/.test(digits) || digits.length !== idLengths[name])
      throw new Error(`${name} is no id: ${digits}`);
    return new Uint8Array(Buffer.from(digits, 'hex'));
  }) as object;
  const { TracesData } = opentelemetry.proto.trace.v1;
  const bytes = TracesData.encode(TracesData.fromObject(given)).finish();
  const message = TracesData.decode(bytes);
  const sent = TracesData.toObject(message, { longs: String, bytes: Array });
  const asRead = JSON.parse(
    JSON.stringify(given, (_, value: unknown) =>
      value instanceof Uint8Array ? [...value] : value,
    ),
  ) as object;
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(sent)), asRead))
    throw new Error('It is not what its definition has');
  return sent;
}
