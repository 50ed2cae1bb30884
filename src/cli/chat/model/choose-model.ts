import { EngineError } from '../../../index.ts';
import type { Server } from './server.ts';

/**
 * The model that was told, or else used last, or else the only one there is.
 * Throws `OPTION_INVALID` with the names where there are several, or none.
 */
export async function chooseModel(
  server: Server,
  candidates: readonly (string | null | undefined)[],
  signal: AbortSignal,
): Promise<string> {
  const namedModel = candidates.find((name) => name !== undefined && name !== null && name !== '');
  if (namedModel !== undefined && namedModel !== null) return namedModel;
  const names = await server.model('').models({ signal });
  if (names.length === 1) return names[0]!;
  const get = server.kind === 'ollama' ? ': `ollama pull llama3.2:3b` gets one' : '';
  throw new EngineError(
    'OPTION_INVALID',
    names.length === 0
      ? `The server at ${server.address} has no model yet${get}`
      : `The server at ${server.address} has several models: ${names.join(', ')}`,
    { detail: { option: 'model', known: names } },
  );
}
