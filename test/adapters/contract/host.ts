import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryWhileInUse } from '../../../src/cli/sessions/store/open-store.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { openStore, type LogEntry, type Store } from '../../../src/index.ts';
import { openStoreOver } from '../../../src/store/format.ts';
import { FaultyLevel } from '../../store/faulty-level.ts';
import { newFolder } from '../../store/folder.ts';

// What the contract asks of an adapter it asks through these few things: a host that can hear a person, ask its
// model by a script, be ended and begun again; and what its model was sent.

/** What a model answers once. */
export interface Answer {
  readonly text: string;
  /** What it thought, and how its provider signed that; '' for nothing. */
  readonly thought: string;
  readonly calls: readonly Call[];
  /** Whether the answer breaks off in its words. */
  readonly isStopped?: boolean;
}

/** A call of the tool `read`, and what that gives. */
export interface Call {
  readonly id: string;
  readonly result: string;
}

/** What a person says, and what comes of it. */
export interface Turn {
  readonly said: string;
  readonly image: boolean;
  readonly answers: readonly Answer[];
  /** Whether the provider is out of order, so that the host asks again; or finds the prompt too long. */
  readonly refusal: 'none' | 'busy' | 'too long';
}

/** A message as a model was sent it. */
export interface Sent {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** Ids of its calls, or of the call whose result it is. */
  readonly calls: readonly string[];
  /** What a provider signed in it. */
  readonly signed: readonly string[];
}

/** A host that runs. */
export interface Seat {
  /** Takes a turn, and gives the model's last words. */
  take(turn: Turn): Promise<string>;
  /** What the model was asked, call by call; nothing for a host that does not let itself be told. */
  readonly asked: readonly (readonly Sent[])[];
  /** Ends the host as a person does. */
  quit(): Promise<void>;
}

/** Where a host and its store are kept. */
export interface Place {
  readonly folder: string;
  /** The store of a host that is given one, in memory: its driver fails when it is told. */
  readonly driver: FaultyLevel;
  /** What the host itself remembers when it begins again. */
  readonly memory: Map<string, unknown>;
}

/** An agent runtime with its adapter. */
export interface Host {
  readonly name: string;
  /** Whether it is given an open store, or opens one in a folder itself. */
  readonly store: 'given' | 'folder';
  /** What it can do of a turn. */
  readonly can: {
    readonly image?: boolean;
    readonly thought?: boolean;
    readonly stop?: boolean;
    readonly refusal?: boolean;
  };
  /** Whether it hands over the last words of a turn alone. */
  readonly notes?: boolean;
  /** The id of its session in the store. */
  session(place: Place): string;
  begin(place: Place, window: number): Promise<Seat>;
}

/** A place where nothing is yet. */
export async function newPlace(): Promise<Place> {
  return { folder: await newFolder(), driver: new FaultyLevel(), memory: new Map() };
}

/** The store of a place, opened by its host, or to look into it. */
export async function storeOf({ store }: Pick<Host, 'store'>, place: Place): Promise<Store> {
  if (store === 'folder')
    return retryWhileInUse(() => openStore(folderOf(place)), { wait: (ms) => sleep(ms) });
  await place.driver.open();
  const open = await openOver(
    await openStoreOver(place.driver, { location: 'contract', sync: false }),
  );
  place.memory.set('store', open);
  return open;
}

/** The folder of the store of a host that opens it itself. */
export const folderOf = ({ folder }: Place): string => join(folder, '.flamestack');

/** All that is in the log of a host. */
export async function logOf(host: Host, place: Place): Promise<readonly LogEntry[]> {
  await using store = await storeOf(host, place);
  const session = await store.open(host.session(place));
  const entries: LogEntry[] = [];
  for await (const entry of session.log()) entries.push(entry);
  return entries;
}

/** Plays the answers of a turn, one for each time that a model is asked. */
export function newScript() {
  let answers: Answer[] = [];
  let refusal: Turn['refusal'] = 'none';
  const results = new Map<string, string>();
  return {
    begin(turn: Turn): void {
      answers = [...turn.answers];
      refusal = turn.refusal;
      for (const { calls } of turn.answers)
        for (const { id, result } of calls) results.set(id, result);
    },
    next(): Answer {
      const why = refusal;
      refusal = 'none';
      if (why === 'busy') throw new Error('busy');
      if (why === 'too long') throw new Error('prompt is too long: 9000 tokens > 8000 maximum');
      const answer = answers.shift();
      if (answer === undefined) throw new Error('the model was asked once too often');
      return answer;
    },
    result: (id: string): string => results.get(id) ?? `no result of ${id}`,
  };
}

/** The image that people show. */
export const image = 'iVBORw0KGgo=';
