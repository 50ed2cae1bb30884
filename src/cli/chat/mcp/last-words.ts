import { stripVTControlCharacters } from 'node:util';

/** What runtimes and npm write around an error. */
const aside =
  /^(?:\s+at |Node\.js v|npm (?:error|ERR!) A complete log |\s*[\^~{}[\]]+\s*$|\s*code: )|^\s*$/;

/** A line with the message of an error, as Node, Python, Java and others write it. */
const said = /^(?:\S+ ){0,3}[\w.]*(?:Error|Exception|panic)\b.*: \S/;

/** The line of a program's complaints that says why it ended, as far as that can be told. */
export function lastWords(complaints: string): string {
  const lines = stripVTControlCharacters(complaints)
    .split(/\r?\n/)
    .filter((line) => !aside.test(line));
  return (lines.findLast((line) => said.test(line)) ?? lines.at(-1) ?? '').trim();
}
