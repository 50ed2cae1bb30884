import { interruption } from '../../core/messages/machine-text.ts';
import { personRuns } from '../../core/messages/machine-text.ts';

// A file's text in the user role is told apart by who wrote it:
//
//   fix the login form                          person, byte for byte
//   <system-reminder>…</system-reminder>        machine
//
// A text in which both wrote is the person's, whole: a person can type such a tag, and
// who reads the message finds what was typed in it. A slash command with arguments was
// typed, too: it is told as the line that stood in the prompt, `/name arguments`.
// Without arguments, its markup is machine text, as is what the command printed.

/** A run of text from one author. */
export interface AuthoredText {
  readonly text: string;
  readonly origin: 'person' | 'machine';
}

/** The markup of a slash command that was given arguments, and what was noted before it. */
const slashCommand = new RegExp(
  `^\\s*(\\${interruption}[^\\]]*\\]\\s*)?` +
    '(?:<command-message>[^<]*</command-message>\\s*)?<command-name>([^<]*)</command-name>\\s*(?:<command-message>[^<]*</command-message>\\s*)?<command-args>([^]*?)</command-args>',
);

/** The runs of a user-role text, in order; at least one, and of a person's at most one. */
export function splitByAuthor(text: string): readonly AuthoredText[] {
  const [markup = '', noted = '', name = '', args = ''] = slashCommand.exec(text) ?? [];
  if (args.trim() !== '')
    return [
      ...machineRun(noted),
      { text: `${name.trim()} ${args.trim()}`, origin: 'person' },
      ...machineRun(text.slice(markup.length)),
    ];
  const isTyped = text.trim() === '' || personRuns(text).length > 0;
  return [{ text, origin: isTyped ? 'person' : 'machine' }];
}

function machineRun(text: string): readonly AuthoredText[] {
  return text.trim() === '' ? [] : [{ text: text.trim(), origin: 'machine' }];
}
