// Where a person broke a host off, Claude Code leaves a note in the words of the person, or in place of a
// result: `[Request interrupted by user]`, `[Request interrupted by user for tool use]`.

/** How such a note begins; in an expression a backslash stands before it. */
export const interruption = '[Request interrupted by user';

/** Whether a text is such a note, or begins with one. */
export const isInterruption = (text: string): boolean => text.startsWith(interruption);
