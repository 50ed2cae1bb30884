import type { ComponentChild } from 'preact';
import { unaskedText, unreadText, type Unread } from '../model/words/unread.ts';

/** What stands in place of what goes along with the playhead until it is read, or where it cannot be. */
export const Waiting = ({ unread }: { readonly unread: Unread | null }): ComponentChild => (
  <p class="quiet">{unread === null ? 'Loading …' : unreadText(unread)}</p>
);

/** The same in place of what somebody asked for. */
export const Asking = ({ unread }: { readonly unread: Unread | null }): ComponentChild => (
  <p class="quiet">{unread === null ? 'Loading …' : unaskedText(unread)}</p>
);
