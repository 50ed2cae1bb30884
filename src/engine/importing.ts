import type { OpenFor } from './import.ts';
import type { Live } from './live.ts';
import type { Lives } from './lives.ts';

/** Does `work`, and counts the sessions that it opens as being imported into until it ends. */
export async function whileImporting<T>(
  { open, lives }: { readonly open: OpenFor; readonly lives: Lives },
  work: (open: OpenFor) => Promise<T>,
): Promise<T> {
  const taking: Live[] = [];
  const opening: OpenFor = async (id, given, fresh) => {
    const session = await open(id, given, fresh);
    const one = await lives.get(id);
    one.imports += 1;
    taking.push(one);
    return session;
  };
  try {
    return await work(opening);
  } finally {
    for (const one of taking) one.imports -= 1;
  }
}
