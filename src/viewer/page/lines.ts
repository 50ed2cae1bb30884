/** The token of this page, out of its address, where it does not stay. */
function readToken(): string {
  const [, bearer, rest = ''] = /^#t=([\w-]+)(?:&(.*))?$/.exec(location.hash) ?? [];
  if (bearer !== undefined) {
    sessionStorage.setItem('token', bearer);
    history.replaceState(null, '', rest === '' ? '/' : `/#${rest}`);
  }
  return bearer ?? sessionStorage.getItem('token') ?? '';
}

const token = readToken();

/** The link to a place of this page, for whoever may see it. */
export const linkTo = (place: string): string =>
  `${location.href.replace(/#.*/, '')}#${token === '' ? '' : `t=${token}&`}${place}`;

/** The server does not know this page. */
export class Unauthorized extends Error {}

/** The server answered with nothing but a status. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The server answered ${status}.`);
    this.status = status;
  }
}

/** What a path gives, line by line, those that came together at once; rejects with {@link Unauthorized} without a token, with {@link Refused} where there is no answer. */
export async function* readLines<T>(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly T[]> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(path, { headers, ...(signal && { signal }) });
  if (answer.status === 401) throw new Unauthorized();
  if (!answer.ok || answer.body === null) throw new Refused(answer.status);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    yield lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
    if (done) return;
  }
}

/** The one line that a path gives. */
export async function readOne<T>(path: string, signal?: AbortSignal): Promise<T> {
  for await (const [one] of readLines<T>(path, signal)) if (one !== undefined) return one;
  throw new Error('The server gave no answer.');
}
