import { isEngineError, type ModelFacts } from '../../index.ts';
import type { Server } from '../chat/server.ts';
import { toFailure } from '../exit.ts';
import { many } from '../render/size.ts';
import { bad, good, odd, type Finding } from './finding.ts';

/** What the server is, and which models it has; no names where it does not answer. */
export async function checkServer(
  server: Server,
  signal: AbortSignal,
): Promise<{ readonly finding: Finding; readonly names: readonly string[] | null }> {
  const { address, kind } = server;
  try {
    const names = await server.model('').models({ signal });
    const version = await server.version(signal);
    const what =
      kind === 'ollama' ? `Ollama${version === null ? '' : ` ${version}`}` : 'it answers';
    const text = `${address}: ${what}, ${many(names.length, 'model')}`;
    return { names, finding: good('server', text, { address, kind, version, models: names }) };
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, advice } = toFailure(error);
    const finding = bad('server', message, { fix: advice, detail: { address, kind } });
    return { names: null, finding };
  }
}

/** Whether the model is there; its facts where it is. */
export async function checkModel(
  server: Server,
  name: string,
  signal: AbortSignal,
): Promise<{ readonly finding: Finding; readonly facts: ModelFacts | null }> {
  try {
    const facts = await server.model(name).facts({ signal });
    return { facts, finding: good('model', facts.name, { ...facts }) };
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, advice } = toFailure(error);
    const isMissing = isEngineError(error, 'MODEL_NOT_FOUND');
    const fix = isMissing && server.kind === 'openai' ? advice.replace(/^Get it.*\n?/, '') : advice;
    return { facts: null, finding: bad('model', message, { fix, detail: { model: name } }) };
  }
}

/** What a model can do. */
export function checkAbilities({ tools, thinking }: ModelFacts): readonly Finding[] {
  const detail = { tools, thinking };
  const thinks = thinking === true ? ', and thinks first' : '';
  if (tools === true) return [good('abilities', `it calls tools${thinks}`, detail)];
  if (tools === null)
    return [odd('abilities', 'the server does not say whether it calls tools', { detail })];
  const text = 'it cannot call tools: no frames, files or shell by itself';
  const fix = 'A chat goes on without; /push and /pop work. Models with tools: qwen3, llama3.1 …';
  return [odd('abilities', `${text}${thinks}`, { fix, detail })];
}
