import { fail } from '../../core/values/error.ts';

// A mistyped address is the name of a folder to every system, and what stands in it a password. So what
// looks like an address is one, or is refused without being repeated.

/** What nobody calls a folder: an address of any kind, wherever it begins, and the other spelling of a connection. */
const likeAddress =
  /^\s*[a-z][a-z\d+.:-]+:\/\/|postgres(ql)?:\/|^\s*postgres(ql)?:|(^|\s)(host|hostaddr|user|dbname|password|passfile|service)\s*=/i;

/** The address of a database, `postgres://…`; null for a folder. Throws `OPTION_INVALID` for what is neither. */
export function postgresAddress(location: string): string | null {
  const rest = /^\s*postgres(?:ql)?:\/\/(.*?)\s*$/is.exec(location)?.[1];
  if (rest !== undefined) return `postgres://${rest}`;
  if (!likeAddress.test(location)) return null;
  const takes = 'postgres://user@host:5432/database, or a folder';
  throw fail('OPTION_INVALID', `This is no address of a store: it takes ${takes}`, {
    option: 'location',
  });
}

/** Whether an address holds a password, which every process of the machine could read. */
export const hasPassword = (address: string): boolean =>
  /:\/\/[^@]*(:|%3a)[^@]*@|[?&][a-z]*passw(or)?d=/i.test(address);
