// What something that a file holds weighs beside a function, by how it is told.

const shares = {
  version: 0.1,
  hook: 0.1,
  heading: 0.15,
  test: 0.4,
  bare: 0.33,
  table: 1.6,
} as const;

/** The share of what tells little, a version of something used, what runs before and after each test, a heading, a test, a field, a type by its name alone; more than 1 for a table. */
export function shareOf(text: string): number {
  if (isVersion.test(text)) return shares.version;
  if (isHook.test(text)) return shares.hook;
  if (isHeading.test(text)) return shares.heading;
  if (isTest(text)) return shares.test;
  if (isBare.test(text)) return shares.bare;
  return isTable.test(text) ? shares.table : 1;
}

/** Whether a text is a version or a heading. */
export const isSlight = (text: string): boolean => isVersion.test(text) || isHeading.test(text);

/** A version of what a project uses, `left-pad: "^1.3.0"`: there are many, and few are ever spoken of. */
const isVersion = /^[\w@./-]{1,80}: ["'][~^<>=v]{0,3}\d[\w.+-]{0,30}["']$/;

/** Names with values, which nothing else tells: `limits = { read: 300, write: 60 }`. */
const isTable = /^@?[\w$]+ = [{[(]/;

/** A test, or a function that asserts: what it tests stands elsewhere. */
export const isTest = (text: string): boolean => testing.test(text);

const testing =
  /^test “|^(?:test_\w+|\w+_tests?)\b|^\w+\([^()]{0,80}\btesting\.(?:TB?|[BFM])\b|\(.{0,200}\bassert\w{0,20}[!(,)]/;

/** A name with a type and no value, `editorContainer: Container`, a type by its name alone, `class Pool`. */
const isBare =
  /^#?[\w$.]+[?!]?: [^=(]+$|^(?:\w+ ){0,2}(?:class|interface|type|struct|trait|(?:def)?module|namespace|impl|enum) [\w.$]+$/;

/** What any file of tests has. */
const isHook = /^(?:_?common_)?(?:setup|teardown)(?:_?(?:file|class|suite|module|all|method))?\(/i;

/** A heading, which tells where something stands, not what. */
const isHeading = /^#{1,3} /;
