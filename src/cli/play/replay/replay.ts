import type { CommandCall } from '../../call/call.ts';
import { latestFirst } from '../../sessions/pick.ts';
import { chooseSession } from '../../sessions/choose-session.ts';
import { readStore } from '../../sessions/with-session.ts';
import { findStep } from './find.ts';
import { playBack } from './play-back.ts';
import { reelOf, type ReplayCommandOptions } from './reel.ts';
import { verifySteps } from './verify-steps.ts';

/** Plays a stored session, decides it again, or finds a step of it; gives the exit code. */
export async function replay(
  said: string | undefined,
  options: ReplayCommandOptions,
  call: CommandCall,
): Promise<number> {
  return readStore(call, async (store) => {
    const { id } = await chooseSession(await latestFirst(store), said, call);
    const reel = await reelOf({ store, id, call }, options);
    if (options.verify === true) return verifySteps(reel);
    if (options.find !== undefined) return findStep(reel, options.find);
    return playBack(reel, options);
  });
}
