import { isEngineError, type ChatModel, type ModelFacts } from '../../../../index.ts';
import { nearModelName } from '../../../call/near.ts';
import { cleanLine } from '../../../paper/clean.ts';
import { choicesText } from '../../../sessions/choose-session.ts';
import { chooseModel } from '../../model/choose-model.ts';
import type { Chat } from '../chat.ts';
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
  candidates: readonly (string | null | undefined)[],
): Promise<FoundModel> {
  const { server, person } = place;
  const name = await person
    .during((signal) => chooseModel(server, candidates, signal))
    .catch((error: unknown) => pickModel(place, error));
  return findNamedModel(place, name);
}

/** The one of several models that a person picks; rejects with `error` where it names none, or nobody picks. */
async function pickModel({ person }: ModelLookup, error: unknown): Promise<string> {
  const names = isEngineError(error, 'OPTION_INVALID') ? (error.detail.known ?? []) : [];
  if (names.length < 2 || !person.isThere) throw error;
  const numbers = names.map((_, index) => String(index + 1));
  const list = names.map((name, index) => `  ${numbers[index]!.padStart(2)}  ${cleanLine(name)}\n`);
  const question = `Which model?\n${list.join('')}Its number, or its name or a part of it: `;
  const takes = `${choicesText(names.length)}, or a part of one name`;
  const named = (word: string): string | undefined => numbers[indexOfNamed(names, word)];
  const chosen = await person.choose(question, { of: numbers, named, takes });
  if (chosen === null) throw error;
  return names[Number(chosen) - 1]!;
}

/** The place of the name that a word is, or is a part of alone; -1 for none. */
function indexOfNamed(names: readonly string[], word: string): number {
  const small = names.map((name) => name.toLowerCase());
  const exact = small.indexOf(word);
  if (exact >= 0) return exact;
  const holding = small.filter((name) => name.includes(word));
  return holding.length === 1 ? small.indexOf(holding[0]!) : -1;
}

/** The model whose name is near one that the server has not, where a person says that it is meant; null for none. */
async function nearModel({ person }: ModelLookup, error: unknown): Promise<string | null> {
  if (!isEngineError(error, 'MODEL_NOT_FOUND') || !person.isThere) return null;
  const { model, known: modelNames = [] } = error.detail;
  const near = nearModelName(modelNames, model);
  if (near === undefined) return null;
  const question = `The server has no model ${cleanLine(model)}. Is ${cleanLine(near)} meant? [Y/n] `;
  const answer = await person.choose(question, { of: ['yes', 'no'], usual: 'yes' });
  return answer === 'yes' ? near : null;
}

/** The model of this name; offers to have it downloaded where it is missing. */
export async function findNamedModel(place: ModelLookup, name: string): Promise<FoundModel> {
  const { server, person } = place;
  const model = server.model(name);
  const ask = (): Promise<ModelFacts> => person.during((signal) => model.facts({ signal }));
  const facts = await ask().catch(async (error: unknown) => {
    const near = await nearModel(place, error);
    if (near !== null) return near;
    const isMissing = isEngineError(error, 'MODEL_NOT_FOUND');
    if (!isMissing || !(await download(place, name))) throw error;
    return ask();
  });
  return typeof facts === 'string' ? findNamedModel(place, facts) : { model, facts };
}
