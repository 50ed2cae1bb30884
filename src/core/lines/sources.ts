// What a document states stands behind its name (`plan.md: Ids are prefixed.`), and behind its path where
// the model wrote it (`docs/plan.md: Ids are prefixed.`). Three readers part the two, each as far as a
// mistake costs it nothing:
//
//   sourceHead       any file, path and all: two lines of one entry tell it once; a word that is no file may be a label
//   statedIn         the name of a document that was read: it is no file that the line is about; a path is
//   withoutSource    whatever the first word is: to compare two lines, which lose the same

/** The file that states what a line tells, as it stands before that; '' for none. */
export const sourceHead = (text: string): string =>
  /^[^\s:]{1,200}\.\w{1,8}: /.exec(text)?.[0] ?? '';

/** What a line tells, without the document by whose name it says who states it. */
export const statedIn = ({
  kind,
  text,
}: {
  readonly kind: string;
  readonly text: string;
}): string =>
  kind === 'read' ? text.replace(/^[^\s:/]{1,120}\.(?:mdx?|txt|rst|adoc): /, '') : text;

/** A statement without the word before its first colon, which may be the file that it stands in, under a name or a path. */
export const withoutSource = (text: string): string => text.replace(/^[^\s:]{1,200}: /, '');
