/** What is repeated, each up to a bar. */
const units = `
a¦A¦1¦_¦-¦.¦/¦\\¦ ¦\t¦\r¦\r\n¦"¦'¦\`¦“¦*¦#¦|¦:¦;¦,¦!¦?¦=¦&¦$¦@¦~¦^¦%¦+¦0¦é¦漢¦🙂¦[¦]¦(¦)¦{¦}¦<¦>¦](¦[x](¦
<a¦</a¦<a>¦<!--¦-->¦\u200b¦\u2028¦\`\`\`\n¦~~~\n¦\`a¦- [ ] ¦- [x] a\n¦> ¦| a ¦|-¦**a¦# a\n¦1. ¦- a\n  ¦word ¦
A b. ¦Use it. ¦never ¦because ¦instead ¦e1 ¦e1-¦e1–e2, ¦f1@¦c1 ¦a.b¦a/b¦../¦src/a.ts ¦./a¦a:1:¦http://¦
http://a/¦a@b.¦--x ¦-x=¦&& ¦$(¦a="¦a='¦error: ¦Error: a\n¦ at a (b:1:2)\n¦1 failed\n¦{"a":¦[[¦{"a":"\\"¦\\"¦
\\n¦\\\\¦[GOAL] ¦[GOAL][¦[DECISION] a\n¦[Request interrupted by user¦<system-reminder>¦</system-reminder>¦
<bash-stdout>¦<skill>¦</skill>¦<command-name>¦<checkpoint¦<goal>¦<transcript>¦[e1 ¦→ ¦2024-01-01¦00:¦0.¦1e¦
x\ty¦ \n¦ a\n\n¦a  ¦. ¦.\n¦?"¦…¦·¦—¦ID ¦\u001b[¦\u001b]¦\u009b1;¦Co-authored-by: ¦## a\n- b\n¦not ¦
should we ¦I will ¦TODO ¦*** a\n¦@@ ¦+a\n-b\n¦
`
  .replaceAll('¦\n', '¦')
  .slice(1, -1)
  .split('¦');

/** Texts that a scanner may choke on, each as a function of its length in UTF-16 units. */
export const texts: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(
    units.map((unit) => [
      JSON.stringify(unit),
      (length: number) => unit.repeat(Math.ceil(length / unit.length)),
    ]),
  ),
  'line breaks': (length) => '\n'.repeat(length),
  'indented line breaks': (length) => '\n\n '.repeat(length / 3),
  'one, then spaces': (length) => `a${' '.repeat(length)}b`,
  'spaces at the end of a line': (length) => `a.${' '.repeat(length)}\nb`,
  'nested brackets': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'nested tags': (length) => '<a>'.repeat(length / 7) + '</a>'.repeat(length / 7),
  'nested objects': (length) => '{"a":'.repeat(length / 6) + '1' + '}'.repeat(length / 6),
  'a long path': (length) => `/${'a/'.repeat(length / 2)}b.ts`,
  'lines of spaces': (length) => `${' '.repeat(99)}\n`.repeat(length / 100),
  'numbered names': (length) => numbered(length, (n) => `name${n} `),
  'numbered paths': (length) => numbered(length, (n) => `src/dir${n}/file${n}.ts\n`),
  'numbered sentences': (length) =>
    numbered(length, (n) => `Always use tool${n}, because it failed with E${n}. `),
  'numbered headings': (length) => numbered(length, (n) => `## Heading ${n}\n\n- [ ] item ${n}\n`),
  'numbered tags': (length) => numbered(length, (n) => `<tag${n}>`),
};

function numbered(length: number, unit: (n: number) => string): string {
  const units: string[] = [];
  for (let n = 0, left = length; left > 0; n += 1) {
    units.push(unit(n));
    left -= units[n]!.length;
  }
  return units.join('');
}
