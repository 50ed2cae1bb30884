import type { ErrorCode } from '../../src/core/values/error.ts';
import { openStore } from '../../src/engine/open/open-store.ts';
import type { StoreHost } from '../../src/store/store.ts';
import { importerOf } from '../../src/import/formats.ts';
import { toSource } from '../../src/import/source/source.ts';
import type { Step } from '../../src/import/source/step.ts';
import { checkLaws, reasonOf } from '../../src/testing/laws/laws.ts';
import { refusalOf, type Move } from '../../src/testing/laws/move.ts';
import { offerTools, takeMove, type MovePlay } from '../../src/testing/laws/take-move.ts';
import { sessionId, watch, type Played, type PlayOptions, type Watch } from './watch.ts';
import { witnessMessage } from '../../src/testing/laws/witness.ts';

/**
 * Plays a session file of any known format through a window, and checks every
 * law after each of its steps. Rejects where the file cannot be read.
 */
export async function playFile(path: string, options: PlayOptions): Promise<Played> {
  const source = await toSource(path);
  const importer = await importerOf(source, undefined, options.signal);
  const steps: Step[] = [];
  for await (const step of importer.read(source)) steps.push(step);
  const head = steps.find((step) => step.type === 'session');
  const messages = steps.flatMap((step) => (step.type === 'append' ? [step.message] : []));
  const store = await openStore(':memory:');
  try {
    const watched = await watch(store, {
      ...options,
      ...(head?.system === undefined ? {} : { system: head.system }),
      ...(head?.title === undefined ? {} : { title: head.title }),
    });
    const { witness } = watched;
    let next = 0;
    await store.import(source, {
      id: sessionId,
      format: importer.format,
      onProgress: async ({ step, line, appended }) => {
        if (step === 'append' && appended > witness.said.length)
          witnessMessage(witness, messages[next]!);
        if (step === 'append') next += 1;
        await watched.check(line);
      },
    });
    await finish(watched, 0);
    return watched.result(path);
  } finally {
    await store.close();
  }
}

/** Plays moves through a window, and checks every law after each. */
export async function playMoves(
  moves: readonly Move[],
  options: PlayOptions & {
    name?: string;
    system?: string;
    /** Refusals that may follow any move; those that a move names must. */
    allowed?: readonly ErrorCode[];
    /** Where the session lies; in memory unless told. */
    host?: StoreHost;
    /** Called with each move before it is taken, and with null before what came of it is checked. */
    onMove?: (move: Move | null) => void;
  },
): Promise<Played> {
  const { onMove } = options;
  const store = await openStore(options.host ?? ':memory:', options.store);
  try {
    const watched = await watch(store, options);
    const names = new Map<string, string>();
    let tools: readonly unknown[] = [];
    for (const [index, move] of moves.entries()) {
      const line = index + 1;
      onMove?.(move);
      try {
        if (move.type === 'tools') tools = offerTools(watched, move.tools);
        if (move.refused !== undefined || options.allowed !== undefined)
          await tryMove(watched, move, { names, line, tools, allowed: options.allowed ?? [] });
        else await takeMove(watched, move, { names, line, tools });
      } catch (error) {
        watched.blame({ law: 'no throw', what: `${move.type}: ${reasonOf(error)}`, line });
      }
      onMove?.(null);
      if (move.type === 'tools' && move.refused !== undefined) tools = offerTools(watched, []);
      await watched.check(line, tools);
    }
    await finish(watched, moves.length, tools);
    return watched.result(options.name ?? 'moves');
  } finally {
    await store.close();
  }
}

/** A move that may or must be refused: then nothing has changed. */
async function tryMove(
  watched: Watch,
  move: Move,
  moving: MovePlay & { allowed: readonly ErrorCode[] },
): Promise<void> {
  const before = watched.session.state;
  const heard = watched.witness.heard.length;
  const code = await refusalOf(takeMove(watched, move, moving));
  const wanted = move.refused === undefined ? moving.allowed : [move.refused];
  const { line } = moving;
  if (code === null && move.refused !== undefined)
    watched.blame({ law: 'no throw', what: `${move.type} was not refused`, line });
  if (code === null) return;
  if (!wanted.includes(code))
    watched.blame({ law: 'no throw', what: `${move.type} was refused with ${code}`, line });
  const after = watched.session.state;
  await watched.session.append([]);
  if (watched.witness.heard.length === heard && JSON.stringify(after) !== JSON.stringify(before))
    watched.blame({ law: 'no throw', what: `${code}, and yet something changed`, line });
}

/** Everything is looked at once more, before and after the session was read from its journal. */
async function finish(watched: Watch, line: number, tools: readonly unknown[] = []): Promise<void> {
  try {
    await watched.reopen(line, tools);
  } catch (error) {
    watched.blame({ law: 'no throw', what: reasonOf(error), line });
  }
  const last = { thorough: true, tools, witness: watched.witness };
  const { violations } = await checkLaws(null, watched.session, last);
  for (const violation of violations) watched.blame({ ...violation, line });
}
