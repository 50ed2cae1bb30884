// SQLite FTS5 with its Porter stemmer, through better-sqlite3: the index without the texts, 1,000
// entries a transaction. A query is any of its words, the best by bm25 first.
import { join } from 'node:path';
import Database from 'better-sqlite3';

export async function open(folder) {
  const db = new Database(join(folder, 'index.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS log USING fts5(text, content='', tokenize='porter unicode61')",
  );
  const add = db.prepare('INSERT INTO log(rowid, text) VALUES (?, ?)');
  const addAll = db.transaction((rows) => {
    for (const [id, text] of rows) add.run(id, text);
  });
  const find = db.prepare('SELECT rowid FROM log WHERE log MATCH ? ORDER BY bm25(log) LIMIT ?');
  return {
    fill(texts) {
      let rows = [];
      let id = 0;
      for (const text of texts) {
        rows.push([(id += 1), text]);
        if (rows.length < 1_000) continue;
        addAll(rows);
        rows = [];
      }
      addAll(rows);
      db.pragma('wal_checkpoint(TRUNCATE)');
    },
    search(query, limit) {
      const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
      return find.all(words.map((word) => `"${word}"`).join(' OR '), limit);
    },
    close: () => db.close(),
  };
}
