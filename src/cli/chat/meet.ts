import { isEngineError, type ChatModel, type ModelFacts } from '../../index.ts';
import type { Chat } from './chat.ts';
import { chooseModel } from './choose-model.ts';
import { download } from './download.ts';

/** A model that answers, and what is known of it. */
export interface Met {
  readonly model: ChatModel;
  readonly facts: ModelFacts;
}

/** Finds the first model that one of `known` names, and offers to have it downloaded where it is missing. */
export async function meet(
  place: Pick<Chat, 'server' | 'person' | 'call'>,
  known: readonly (string | null | undefined)[],
): Promise<Met> {
  const { server, person } = place;
  return person.during(async (signal) => {
    const name = await chooseModel(server, known, signal);
    const model = server.model(name);
    const facts = await model.facts({ signal }).catch(async (error: unknown) => {
      const isMissing = isEngineError(error, 'MODEL_NOT_FOUND');
      if (!isMissing || !(await download(place, name))) throw error;
      return model.facts({ signal });
    });
    return { model, facts };
  });
}
