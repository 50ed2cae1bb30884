import { endianness } from 'node:os';
import { basename, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Puts its values in place of a module that makes the same ones in every process: the tables of the machines, which then
 * no reader needs XState for, and vocabularies, whose tables take 3 ms to read as a file and 60 to make.
 */
export const constants = {
  name: 'constants',
  async load(id) {
    const module = relative('.', id).split(sep).join('/');
    if (module === 'machines/lifecycle.ts') return tablesCode(await exportsOf(id));
    if (!module.startsWith('src/tokenizer/vocabularies/')) return null;
    const vocabulary = (await exportsOf(id)).vocabulary();
    const fileName = `${basename(id, '.ts')}.bin`;
    this.emitFile({ type: 'asset', fileName, source: Buffer.concat(partsOf(vocabulary)) });
    return vocabularyCode(vocabulary, fileName);
  },
};

/** What a module exports. */
async function exportsOf(module) {
  const whole = await rolldown({ input: module, platform: 'node' });
  const { output } = await whole.generate();
  await whole.close();
  const code = Buffer.from(output[0].code).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

function tablesCode({ lifecycles, lifecycleVersions }) {
  return `
    export const lifecycles = ${JSON.stringify(lifecycles)};
    export const lifecycleVersions = ${JSON.stringify(lifecycleVersions)};
    export const frameTable = lifecycles.frame.next;
    export const sessionTable = lifecycles.session.next;`;
}

/** A vocabulary that is read from a file; numbers come first, as their views must begin at multiples of four. */
function vocabularyCode({ pattern, table: { offsets, slots, pairs } }, fileName) {
  return `
    import { readFileSync } from 'node:fs';
    import { endianness } from 'node:os';

    export function vocabulary() {
      const bytes = readFileSync(new URL('./${fileName}', import.meta.url));
      const numbers = bytes.subarray(0, ${offsets.byteLength + slots.byteLength + pairs.byteLength});
      // The file has the lowest byte of a number first.
      if (endianness() === 'BE') numbers.swap32();
      const at = (place) => bytes.byteOffset + place;
      return {
        pattern: ${JSON.stringify(pattern)},
        table: {
          offsets: new Uint32Array(bytes.buffer, at(0), ${offsets.length}),
          slots: new Int32Array(bytes.buffer, at(${offsets.byteLength}), ${slots.length}),
          pairs: new Int32Array(bytes.buffer, at(${offsets.byteLength + slots.byteLength}), ${pairs.length}),
          pool: new Uint8Array(bytes.buffer, at(numbers.length)),
        },
      };
    }`;
}

/** The tables of a vocabulary as they lie in a file, the lowest byte of a number first. */
function partsOf({ table: { offsets, slots, pairs, pool } }) {
  return [offsets, slots, pairs, pool].map((numbers) => {
    const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    return numbers.BYTES_PER_ELEMENT === 4 && endianness() === 'BE' ? bytes.swap32() : bytes;
  });
}
