import { fail } from '../../core/values/error.ts';
import type { Source } from './step.ts';

/** Lines that are read in the hope of one that can be: a file of another kind may have millions. */
const mostUnread = 100_000;

/** Takes for each line of a source whether it could be read; throws `IMPORT_EMPTY` where very many begin it that could not. */
export function unreadLimit({ name }: Source, format: string): (isRead: boolean) => void {
  let unread = 0;
  let isAnyRead = false;
  return (isRead) => {
    isAnyRead ||= isRead;
    unread += isRead ? 0 : 1;
    if (isAnyRead || unread < mostUnread) return;
    throw fail('IMPORT_EMPTY', `Nothing in ${name} could be read as ${format}`, {
      source: name,
      format,
      skipped: unread,
    });
  };
}
