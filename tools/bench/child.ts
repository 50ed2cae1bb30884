import { appendPart } from './cases/append.ts';
import { countPart, hostilePart } from './cases/counter.ts';
import { floorPart } from './cases/floor.ts';
import { framesPart } from './cases/frames.ts';
import { growPart, openPart, pairPart } from './cases/growth.ts';
import { importedPart, prefixPart } from './cases/prefix.ts';
import { askPart, fillPart } from './cases/search.ts';
import { sessionsPart, togetherPart } from './cases/sessions.ts';
import { windowsPart } from './cases/windows.ts';
import { racePart, reopenPart } from './race.ts';

// A part of the suite in a process of its own: `node child.js <part> <JSON>`. It
// prints what the part gives, as JSON, on the last line.

const parts: Readonly<Record<string, (given: never) => Promise<unknown>>> = {
  append: appendPart,
  ask: askPart,
  count: countPart,
  fill: fillPart,
  floor: floorPart,
  frames: framesPart,
  grow: growPart,
  hostile: hostilePart,
  imported: importedPart,
  open: openPart,
  pair: pairPart,
  prefix: prefixPart,
  race: racePart,
  reopen: reopenPart,
  sessions: sessionsPart,
  together: togetherPart,
  windows: windowsPart,
};

const [, , name, given] = process.argv;
const result = await parts[name!]!(JSON.parse(given!) as never);
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
