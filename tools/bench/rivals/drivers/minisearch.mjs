// MiniSearch with its own defaults; the whole index is one JSON file, read at open.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';

const options = { fields: ['text'], storeFields: [] };

export async function open(folder) {
  const file = join(folder, 'index.json');
  const index = existsSync(file)
    ? MiniSearch.loadJSON(readFileSync(file, 'utf8'), options)
    : new MiniSearch(options);
  return {
    fill(texts) {
      let id = 0;
      for (const text of texts) index.add({ id: (id += 1), text });
      writeFileSync(file, JSON.stringify(index));
    },
    search: (query, limit) => index.search(query).slice(0, limit),
    close() {},
  };
}
