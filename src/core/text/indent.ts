/** How deep a line stands: the blanks that it begins with, each of them one; of a blank line all. */
export const indentOf = (line: string): number => line.length - line.trimStart().length;
