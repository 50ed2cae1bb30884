// Two owners of one session, in PostgreSQL: node examples/postgres.mjs postgres://user@host:5432/database
import { openStore } from 'flamestack';

const address = process.argv[2] ?? process.env.DATABASE_URL;
const [one, other] = await Promise.all([openStore(address), openStore(address)]);

const mine = await one.open('shared', { window: 8_192 });
const theirs = await other.open('shared');
// Each decides on what it knows; who is late reads again and decides anew.
const said = await Promise.all([
  mine.append({ role: 'user', content: 'Build the app' }, { key: 'request' }),
  theirs.append({ role: 'user', content: 'Build the app' }, { key: 'request' }),
  theirs.append({ role: 'user', content: 'And test it' }),
]);
process.stdout.write(`${said.map(({ id }) => id).join(' ')}\n`);
for await (const { id, content } of mine.log())
  process.stdout.write(`${id} ${JSON.stringify(content)}\n`);

await Promise.all([one.close(), other.close()]);
