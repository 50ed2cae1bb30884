import { homedir } from 'node:os';
import type { Head } from '../../viewer/page/session/model/wire.ts';
import type { Exporting } from './exporting.ts';
import { hideIn } from '../secrets/secrets.ts';

/** Where homes are; the name of a person is part of them. */
const homes = /^(?:\/(?:home|Users)\/[^/ ]+|\/root)(?![^/ ])/;

/** What is told of a session as a whole, without keys, and with its folder below `~`. */
export function headFor({ call, secrets }: Exporting, head: Head): Head {
  const home = call.io.env['HOME'] || homedir();
  const isBelow = head.place.startsWith(home) && /^(?:[/ ]|$)/.test(head.place.slice(home.length));
  const place = isBelow ? `~${head.place.slice(home.length)}` : head.place.replace(homes, '~');
  return hideIn({ ...head, place }, secrets);
}
