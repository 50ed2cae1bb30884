/** Why something was not read: who tells it has ended, has nothing of it, or did not answer; or this is a file, which does not hold it. */
export type Unread = 'ended' | 'nothing' | 'refused' | 'file';

/** What is said in place of an answer to what somebody asked. */
export const unaskedText = (why: Unread): string => texts[why];

/** What is said in place of what goes along with the playhead. */
export const unreadText = (why: Unread): string =>
  why === 'ended' ? 'This was not read before flamestack view ended.' : texts[why];

const texts: Readonly<Record<Unread, string>> = {
  ended: 'This cannot be asked any more: flamestack view has ended.',
  nothing: 'There is nothing of what was asked for.',
  refused: 'flamestack view did not answer this.',
  file: 'This file does not hold this.',
};
