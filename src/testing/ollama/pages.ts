import type { Exchange } from './exchange.ts';
import { load, type OllamaHost } from './host.ts';
import { details, fullName, toServed, type Served } from './model.ts';

const digest = '0'.repeat(64);

/** Bytes that each model is said to have. */
const size = 4_700_000_000;

/** A time so late that it stands for never. */
const neverExpires = '2318-01-01T00:00:00Z';

/** Answer of `/api/tags`. */
export function tags(host: OllamaHost): unknown {
  const models = [...host.models.values()].map((model) => ({
    ...listed(model),
    modified_at: '2026-01-01T00:00:00Z',
  }));
  return { models };
}

/** Answer of `/api/ps`. */
export function memory(host: OllamaHost): unknown {
  const models = [...host.loaded].flatMap(([name, { numCtx, until }]) => {
    const model = host.models.get(name);
    if (model === undefined) return [];
    const expires = Number.isFinite(until) ? new Date(until).toISOString() : neverExpires;
    const window = host.release.tellsWindow ? { context_length: numCtx } : {};
    return [{ ...listed(model), expires_at: expires, size_vram: size, ...window }];
  });
  return { models };
}

function listed(model: Served): object {
  return { name: model.name, model: model.name, size, digest, details: details(model) };
}

/** Answers `/api/embed`: the same vector for each text, which is cut to the window. */
export function embed(host: OllamaHost, exchange: Exchange, model: Served): void {
  const { body } = exchange.call;
  exchange.call.loaded = load(host, model, body);
  const window = host.loaded.get(model.name)?.numCtx ?? host.defaultNumCtx;
  const sizes = [body.input ?? []].flat().map((text) => model.count(text));
  if (body.truncate === false && sizes.some((tokens) => tokens > window))
    return exchange.fail(400, 'the input length exceeds the context length');
  exchange.json(200, {
    model: body.model,
    embeddings: sizes.map(() => [0.1, 0.2, 0.3]),
    total_duration: 1e7,
    load_duration: 1e6,
    prompt_eval_count: sizes.reduce((sum, tokens) => sum + Math.min(tokens, window), 0),
  });
}

/** Answers `/api/pull`: some progress, and the model is there. */
export function pull(host: OllamaHost, exchange: Exchange): void {
  const { body } = exchange.call;
  const name = fullName(body.model ?? body.name ?? '');
  const found = host.library === null ? toServed(name, {}, host.count) : host.library.get(name);
  const streams = body.stream !== false;
  if (streams) exchange.line({ status: 'pulling manifest' });
  if (found === undefined) return exchange.fail(500, 'pull model manifest: file does not exist');
  if (!host.models.has(name)) host.models.set(name, found);
  const done = { status: 'success' };
  if (!streams) return exchange.json(200, done);
  const layer = {
    status: `pulling ${digest.slice(0, 12)}`,
    digest: `sha256:${digest}`,
    total: size,
  };
  for (const share of [0.25, 0.5, 1]) exchange.line({ ...layer, completed: size * share });
  exchange.line({ status: 'verifying sha256 digest' });
  exchange.line(done);
  exchange.end();
}
