import { isEngineError, type ChatModel, type ModelFacts } from '../../../index.ts';
import { chooseModel } from '../model/choose-model.ts';
import type { Chat } from './chat.ts';
import { download } from './download.ts';

/** A model and its facts. */
export interface FoundModel {
  readonly model: ChatModel;
  readonly facts: ModelFacts;
}

type ModelLookup = Pick<Chat, 'server' | 'person' | 'call'>;

/** Finds the first model that one of `known` names. */
export async function findModel(
  place: ModelLookup,
  known: readonly (string | null | undefined)[],
): Promise<FoundModel> {
  const { server, person } = place;
  return findNamedModel(place, await person.during((signal) => chooseModel(server, known, signal)));
}

/** The model of this name; offers to have it downloaded where it is missing. */
export async function findNamedModel(place: ModelLookup, name: string): Promise<FoundModel> {
  const { server, person } = place;
  const model = server.model(name);
  const ask = (): Promise<ModelFacts> => person.during((signal) => model.facts({ signal }));
  const facts = await ask().catch(async (error: unknown) => {
    const isMissing = isEngineError(error, 'MODEL_NOT_FOUND');
    if (!isMissing || !(await download(place, name))) throw error;
    return ask();
  });
  return { model, facts };
}
