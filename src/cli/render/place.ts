import type { Place } from '../../index.ts';
import { many } from './size.ts';

/** Where an entry is, seen from the prompt, in words. */
export function placeText(place: Place): string {
  const { frame } = place;
  switch (place.place) {
    case 'verbatim':
      return 'in the window, word for word';
    case 'shortened':
      return `in the window, shortened to ${many(place.tokens, 'token')}`;
    case 'checkpoint':
      return `behind checkpoint ${place.checkpoint} (${range(place)})`;
    case 'partial':
      return `behind the partial result of frame ${frame} (${range(place)})`;
    case 'offloaded':
      return `behind a breadcrumb (${range(place)}); its directives are quoted`;
    case 'results':
      return `behind the results of frame ${frame}`;
    case 'left':
      return `on a branch that was left (${range(place)})`;
    case 'invalidated':
      return `behind the one line of frame ${frame}, which was abandoned`;
  }
}

function range({ from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? from : `${from} to ${to}`;
}
