// What hosts write around what a command printed: how it ended, how long it took, where all of it is.

/** What a command printed. */
export interface Printed {
  /** The number that its host says it ended with; null where it says none. */
  readonly exit: number | null;
  /** What its host says of a command in the background: `running`, `completed`, `failed`; '' for nothing. */
  readonly status: string;
  /** What was printed, without what the host says around it. */
  readonly text: string;
}

/** A line of a host before an output. */
const hostLine =
  /^(?:(?:Exit code:?|Process exited with code) (?<exit>\d{1,10})|Chunk ID: \S{1,20}|Wall time:? [^\n]{1,40}|Original token count: \d{1,10}|Total output lines: \d{1,10}|Script completed|Output:)$/;

/** Whether a line is one that hosts write before an output. */
export const isHostLine = (line: string): boolean => hostLine.test(line);

/** What stands before the lines of a host: the command itself, and that there is more than is shown. */
const opening =
  /^(?:Command: [^]{1,4000}?\n(?=Chunk ID: )|<persisted-output>\s{1,4}Output too large[^\n]{0,400}\s{1,4}Preview[^\n]{0,40}\n)/;

/** What stands before the output of a command in the background. */
const ofTask =
  /^(?:<retrieval_status>\w{1,20}<\/retrieval_status>\s{1,4}<task_id>[\w-]{1,60}<\/task_id>\s{1,4}<task_type>\w{1,40}<\/task_type>\s{1,4})?<status>(?<status>\w{1,20})<\/status>(?:\s{1,4}<exit_code>(?<exit>\d{1,10})<\/exit_code>)?(?:\s{1,4}<(?:stdout|output)>)?/;

/** What stands behind an output, and most of a text that may, in UTF-16 units. */
const behind =
  /(?:(?:^|\s{1,4})(?:Wall time: [\d.]{1,12} seconds|\[Some lines truncated to \d{1,9} chars\]|<(?:command with )?shellId: [^<>]{1,400}>|<\/(?:stdout|output)>|<timestamp>[^<>]{1,40}<\/timestamp>)){1,3}$/;
const longestBehind = 600;

/** Reads the text of a result; of several numbers the last counts, that of a command within a script. */
export function printedIn(result: string): Printed {
  let text = result.trim().replace(opening, '').trimStart();
  const task = ofTask.exec(text)?.groups;
  let exit = task?.['exit'] === undefined ? null : Number(task['exit']);
  if (task !== undefined) text = text.replace(ofTask, '').trimStart();
  for (let line = firstLine(text); text !== ''; line = firstLine(text)) {
    const fields = hostLine.exec(line)?.groups;
    if (fields === undefined) break;
    if (fields['exit'] !== undefined) exit = Number(fields['exit']);
    text = text.slice(line.length).trimStart();
  }
  const last = Math.max(0, text.length - longestBehind);
  const end = behind.exec(text.slice(last));
  const { status = '' } = task ?? {};
  return { exit, status, text: end === null ? text : text.slice(0, last + end.index) };
}

const firstLine = (text: string): string => /^[^\r\n]*/.exec(text)![0];
