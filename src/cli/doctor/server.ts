import type { ModelFacts } from '../../index.ts';
import { toFailure } from '../call/exit.ts';
import type { Server } from '../chat/model/server.ts';
import { many } from '../paper/size.ts';
import { badFinding, goodFinding, oddFinding, type Finding } from './finding.ts';

/** The first Ollama that refuses a prompt which is too long, if it is told to: before it, prompts are cut in silence. */
const firstHonest = [0, 12, 4] as const;

function isOlder(version: string): boolean {
  const parts = version.split(/[.-]/).map(Number);
  for (const [index, least] of firstHonest.entries()) {
    const part = parts[index];
    if (part === undefined || Number.isNaN(part)) return false;
    if (part !== least) return part < least;
  }
  return false;
}

/** Checks the server; `names` are its models, null where it does not answer. */
export async function checkServer(
  server: Server,
  signal: AbortSignal,
): Promise<{ readonly finding: Finding; readonly names: readonly string[] | null }> {
  const { address, kind } = server;
  try {
    const names = await server.model('').models({ signal });
    const version = await server.version();
    const what =
      kind === 'ollama' ? `Ollama${version === null ? '' : ` ${version}`}` : 'it answers';
    const text = `${address}: ${what}, ${many(names.length, 'model')}`;
    const detail = { address, kind, version, models: names };
    if (kind !== 'ollama' || version === null || !isOlder(version))
      return { names, finding: goodFinding('server', text, detail) };
    const cuts = `update Ollama: before ${firstHonest.join('.')} it cuts prompts in silence, whatever it is told.`;
    return { names, finding: oddFinding('server', text, { fix: cuts, detail }) };
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, advice } = toFailure(error);
    const finding = badFinding('server', message, { fix: advice, detail: { address, kind } });
    return { names: null, finding };
  }
}

/** Checks that the server has the model; gives its facts if so. */
export async function checkModel(
  server: Server,
  name: string,
  signal: AbortSignal,
): Promise<{ readonly finding: Finding; readonly facts: ModelFacts | null }> {
  try {
    const facts = await server.model(name).facts({ signal });
    return { facts, finding: goodFinding('model', facts.name, { ...facts }) };
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, advice } = toFailure(error);
    return {
      facts: null,
      finding: badFinding('model', message, { fix: advice, detail: { model: name } }),
    };
  }
}

/** Findings on the abilities of a model. */
export function checkAbilities({ tools, thinking }: ModelFacts): readonly Finding[] {
  const detail = { tools, thinking };
  const thinks = thinking === true ? ', and thinks first' : '';
  if (tools === true) return [goodFinding('abilities', `it calls tools${thinks}`, detail)];
  if (tools === null)
    return [oddFinding('abilities', 'the server does not say whether it calls tools', { detail })];
  const text = 'it cannot call tools: no frames, files or servers by itself';
  const fix = 'A chat goes on without; /push and /pop work. Models with tools: qwen3, llama3.1 …';
  return [oddFinding('abilities', `${text}${thinks}`, { fix, detail })];
}
