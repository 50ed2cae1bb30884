import type { ToolSchema } from '../../index.ts';
import { fieldsOf, listOf, worded } from '../fields.ts';
import type { OpenCodeClient, OpenCodeMessage } from './host.ts';

/** A model by the names that OpenCode has for it. */
export interface ModelName {
  readonly providerID: string;
  readonly modelID: string;
}

/** What is asked of OpenCode; each rejects where it does not answer. */
export interface Lookup {
  /** All messages of a session, whatever OpenCode compacted, oldest first. */
  messages(sessionID: string): Promise<readonly OpenCodeMessage[]>;
  /** The session whose agent speaks in a session in place of a person; null where a person does. */
  parent(sessionID: string): Promise<string | null>;
  /** The limits of a model; undefined for one that OpenCode does not know. */
  limit(model: ModelName): Promise<unknown>;
  /** What a model is told of its tools. */
  tools(model: ModelName): Promise<readonly ToolSchema[]>;
}

/** What OpenCode knows, asked once where it does not change. */
export function lookup(client: OpenCodeClient): Lookup {
  const cache = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = (cache.get(key) as Promise<T> | undefined) ?? ask();
    cache.set(key, answer);
    answer.catch(() => cache.delete(key));
    return answer;
  };
  return {
    messages: async (id) =>
      answered(await client.session.messages({ path: { id } }), 'messages') as OpenCodeMessage[],
    parent: (id) =>
      once(`session ${id}`, async () => {
        const session = answered(await client.session.get({ path: { id } }), 'session');
        const { parentID } = fieldsOf(session);
        return typeof parentID === 'string' ? parentID : null;
      }),
    limit: ({ providerID, modelID }) =>
      once(`limit ${providerID}/${modelID}`, async () => {
        const { providers } = fieldsOf(answered(await client.config.providers(), 'models'));
        const provider = listOf(providers).find((one) => fieldsOf(one)['id'] === providerID);
        const models = fieldsOf(fieldsOf(provider)['models']);
        return fieldsOf(models[modelID])['limit'];
      }),
    tools: ({ providerID, modelID }) =>
      once(`tools ${providerID}/${modelID}`, async () => {
        const query = { provider: providerID, model: modelID };
        const tools = listOf(answered(await client.tool.list({ query }), 'tools')).map(fieldsOf);
        return tools.map(({ id, description, parameters }) => ({
          name: worded(id),
          description: worded(description),
          parameters,
        })) as readonly ToolSchema[];
      }),
  };
}

function answered({ data, error }: { data?: unknown; error?: unknown }, what: string): unknown {
  if (data === undefined || data === null)
    throw new Error(`OpenCode did not tell its ${what}: ${worded(error).slice(0, 200)}.`);
  return data;
}
