import { relative, sep } from 'node:path';

// Each file that is loaded takes a millisecond, and what a command begins with would be forty files: parts that
// one entry needs and another does not. So what a hook of an agent needs is one file, what every other command needs
// beside it another, what reads a store a third, what lists it a fourth, what searches it a fifth; of each the pure
// functions stay apart.

/** Where what is loaded together begins; the earlier name takes what several would have. */
const starts = {
  hook: ['src/cli/command-line/process.ts', 'src/cli/hosts/hook.ts'],
  program: ['src/cli/program.ts'],
  reader: ['src/engine/open/store-reader.ts', 'src/engine/durable/list-machines.ts'],
  list: ['src/cli/look/ls.ts'],
  search: [
    'src/cli/look/search.ts',
    'src/engine/recall/spread-hits.ts',
    'src/engine/recall/search-indexes.ts',
    'src/engine/recall/kept-logs.ts',
  ],
};
/** Leads to what searches, too. */
const beyond = 'src/reader.ts';
const pure = 'src/core/index.ts';

/** Collects as a plugin which module imports which, and tells the file of each by that. */
export function startChunks() {
  const imported = new Map();
  let sets;
  return {
    plugin: {
      name: 'start-chunks',
      buildEnd() {
        for (const id of this.getModuleIds())
          imported.set(nameOf(id), this.getModuleInfo(id).importedIds.map(nameOf));
      },
    },
    /** The file of a module; null where the bundler chooses. */
    fileOf(id) {
      sets ??= Object.entries({ ...starts, pure: [pure] }).map(([name, modules]) => [
        name,
        reached(modules, imported),
      ]);
      const [name] = sets.find(([, modules]) => modules.has(nameOf(id))) ?? ['pure'];
      if (name === 'pure') return null;
      return sets.at(-1)[1].has(nameOf(id)) ? `${name}-core` : name;
    },
  };
}

const nameOf = (id) => relative('.', id).split(sep).join('/');

/** These modules and all that they import, but on demand. */
function reached(modules, imported, found = new Set()) {
  for (const module of modules) {
    if (found.has(module) || module === beyond || !imported.has(module)) continue;
    found.add(module);
    reached(imported.get(module), imported, found);
  }
  return found;
}
