import { openLightReader, type LightReader } from '../../../reader.ts';
import { storeFolder, type CommandCall } from '../../call/call.ts';

/** Opens the store, which must be there, to list and search it, gives it to `work`, and closes it whatever comes of it. */
export async function withReader<T>(
  call: CommandCall,
  work: (reader: LightReader) => Promise<T>,
): Promise<T> {
  await using reader = await openLightReader(storeFolder(call));
  return await work(reader);
}
