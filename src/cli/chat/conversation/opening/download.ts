import { EngineError, type PullProgress } from '../../../../index.ts';
import { statusLine } from '../../../call/status-line.ts';
import { cleanLine } from '../../../paper/clean.ts';
import { percent } from '../../../paper/size.ts';
import type { Chat } from '../chat.ts';

/** Offers to have the server download a model, and does; false where that cannot be. Rejects where it is not wanted. */
export async function download(
  { server, person, call }: Pick<Chat, 'server' | 'person' | 'call'>,
  name: string,
): Promise<boolean> {
  const { pull } = server;
  if (pull === null || !person.isThere) return false;
  const question = `The server has no model ${cleanLine(name)}. Download it? [y/N] `;
  const answer = await person.choose(question, { of: ['yes', 'no'], usual: 'no' });
  if (answer !== 'yes')
    throw new EngineError('MODEL_NOT_FOUND', `Not downloaded: ${cleanLine(name)}`, {
      detail: { server: server.address, model: name, declined: true },
    });
  const status = statusLine(call);
  try {
    await person.during((signal) =>
      pull(name, { signal, onProgress: (one) => status.say(() => progressText(one)) }),
    );
  } finally {
    status.clear();
  }
  return true;
}

function progressText({ status, completed, total }: PullProgress): string {
  const share = completed === undefined || !total ? '' : ` ${percent(completed / total)}`;
  return `${cleanLine(status)}${share}`;
}
