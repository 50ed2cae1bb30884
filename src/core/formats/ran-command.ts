/** A command that a person ran at pi's prompt, as pi's session files and its lists tell of it. */
export interface RanCommand {
  readonly command: string;
  readonly output: string;
  /** What the command exited with; anything but a number where it did not. */
  readonly exitCode?: unknown;
  readonly cancelled?: unknown;
}

/** The text of an entry for it: the shell's, not the person's. */
export function ranText({ command, output, exitCode, cancelled }: RanCommand): string {
  const exited = typeof exitCode === 'number' ? `exit ${exitCode}` : 'no exit code';
  return `Ran \`${command}\` (${cancelled === true ? 'cancelled' : exited})\n${output}`;
}
