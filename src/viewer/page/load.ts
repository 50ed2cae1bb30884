import type { Move } from './move.ts';
import { connection, take, trouble } from './store.ts';

/** The token of this page, out of its address, where it does not stay. */
function readToken(): string {
  const told = /^#t=([\w-]+)$/.exec(location.hash)?.[1];
  if (told !== undefined) {
    sessionStorage.setItem('token', told);
    history.replaceState(null, '', '/');
  }
  return told ?? sessionStorage.getItem('token') ?? '';
}

/** Reads what is told, to its end; says what is wrong. */
export async function load(): Promise<void> {
  const headers = { authorization: `Bearer ${readToken()}` };
  try {
    const answer = await fetch('/api/inspections', { headers });
    if (answer.status === 401) {
      trouble.value = 'This page is opened by the link that flamestack inspect prints.';
      connection.value = 'lost';
      return;
    }
    if (!answer.ok || answer.body === null)
      throw new Error(`The server answered ${answer.status}.`);
    await takeLines(answer.body);
    connection.value = 'ended';
  } catch {
    connection.value = 'lost';
    trouble.value = 'flamestack inspect has ended; what it told is still here.';
  }
}

/** Takes in each line as it comes, those that came together at once. */
async function takeLines(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value?: string };
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    const told = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Told);
    take(told.filter((one) => !('live' in one)) as readonly Move[]);
    if (told.some((one) => 'live' in one && one.live)) connection.value = 'live';
    if (done) return;
  }
}

/** A move, or first of all whether what comes is told, too. */
type Told = Move | { readonly live: boolean };
