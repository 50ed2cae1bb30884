/** What a person says of the n-th parser, with a port and commands that nothing else tells. */
export const parserText = (n: number, port: number | string = `431${n}`): string =>
  [
    `The reader of src/parse-${n}.ts keeps port ${port}.`,
    ...Array.from({ length: 9 }, (_, k) => `Ran \`npm run step-${n}-${k}\` in ${n * 100 + k} ms.`),
  ].join(' ');
