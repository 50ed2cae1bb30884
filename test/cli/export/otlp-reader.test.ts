import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tracesFile, type TracesFile } from '../../../src/cli/export/forms/otlp.ts';
import { toProvider } from '../../../src/cli/export/forms/otlp-provider.ts';
import { noSecrets } from '../../../src/cli/secrets/secrets.ts';
import { demoStore, flamestack } from '../call.ts';
import { sentTraces } from './protobuf.ts';
import { toldSessions } from './record.ts';

// What is exported as OTLP is read by the definition of OpenTelemetry, and by the names of its conventions.

test('the definition of OpenTelemetry has all of it: each field, with values of its type', () => {
  fc.assert(
    fc.property(toldSessions, fc.boolean(), (session, isWhole) => {
      sentTraces(JSON.stringify(tracesFile(session, isWhole ? noSecrets : null)));
    }),
  );
});

test('it has not what is no field, no id, no time or no kind', async () => {
  const store = await demoStore();
  const { out } = await flamestack(`export --as otlp --with-content --store ${store}`);
  expect(() => sentTraces(out)).not.toThrow();
  const broken: readonly (readonly [from: RegExp, to: string])[] = [
    [/"traceId":"/, '"traceId":"zz'],
    [/"spanId":"../, '"spanId":"'],
    [/"startTimeUnixNano":"\d+"/, '"startTimeUnixNano":"2026-01-01"'],
    [/"kind":3/, '"kind":"a client"'],
    [/"intValue":"\d+"/, '"intValue":"many"'],
    [/"stringValue":"chat"/, '"stringValue":7'],
    [/"parentSpanId"/, '"parent"'],
    [/"status":\{\}/, '"status":{"severity":1}'],
  ];
  for (const [from, to] of broken) {
    const wrong = out.replace(from, to);
    expect(wrong).not.toBe(out);
    expect(() => sentTraces(wrong), to).toThrow();
  }
});

/** What the conventions for generative AI name that the package of all conventions does not have yet. */
const newer = new Set(['gen_ai.conversation.compacted']);

test('each attribute is one of the conventions, with a value that they list, or one of ours', async () => {
  const named = new Set<unknown>(Object.values(conventions));
  const store = await demoStore();
  const { out } = await flamestack(`export --as otlp --with-content --store ${store}`);
  const [{ resource, scopeSpans }] = (JSON.parse(out) as TracesFile).resourceSpans as [
    TracesFile['resourceSpans'][0],
  ];
  const operations = Object.entries(conventions).flatMap(([name, value]) =>
    name.startsWith('GEN_AI_OPERATION_NAME_VALUE_') ? [value] : [],
  );
  const spans = scopeSpans[0]!.spans;
  const told = [...resource.attributes, ...spans.flatMap(({ attributes }) => attributes)];
  const keys = new Set(told.map(({ key }) => key));
  const strange = [...keys].filter(
    (key) => !named.has(key) && !newer.has(key) && !key.startsWith('flamestack.'),
  );
  expect(strange).toEqual([]);
  expect([...keys].filter((key) => key.startsWith('gen_ai.')).length).toBeGreaterThan(8);
  for (const { key, value } of told)
    if (key === 'gen_ai.operation.name')
      expect(operations).toContain('stringValue' in value ? value.stringValue : value);
});

test('who serves a model is named as the conventions do, by what a host or the name of the model says', () => {
  const listed = Object.entries(conventions).flatMap(([name, value]) =>
    name.startsWith('GEN_AI_PROVIDER_NAME_VALUE_') ? [value] : [],
  );
  const hosts =
    'anthropic openai openai-codex google google-vertex azure amazon-bedrock mistral xai groq';
  for (const host of hosts.split(' ')) expect(listed, host).toContain(toProvider(host, 'm'));
  for (const model of ['claude-opus-4-6', 'gpt-5.5', 'gemini-3-pro', 'grok-4', 'deepseek-r1'])
    expect(listed, model).toContain(toProvider('', model));
  expect([toProvider('ollama', 'gpt-oss'), toProvider('', 'llama3.2')]).toEqual([
    'ollama',
    'unknown',
  ]);
});
