import { frameLineOf } from '../../../viewer/page/session/model/made-line.ts';
import { cleanLine } from '../../paper/clean.ts';

/** A line of a prompt that Flamestack made, for people: a frame by its title and what is told of it, a goal by how it stands; any other as it is. */
export function inWords(line: string): string {
  const frame = frameLineOf(line);
  if (frame !== null) {
    const { id, status, title, parts } = frame;
    const partTexts = parts.map(({ name, text }) => `${name}: ${text}`);
    return cleanLine([`${id} ${title}: ${status}`, ...partTexts].join('; '));
  }
  const [, priority, status] = /^\s*<goal priority="(\w+)" status="(\w+)">$/.exec(line) ?? [];
  return priority === undefined ? cleanLine(line) : `goal: ${status}, ${priority} priority`;
}
