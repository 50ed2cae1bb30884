import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { isEngineError, openStore, type Message, type Session } from '../../../src/index.ts';
import { newDisk } from '../disk.ts';
import { everything } from '../everything.ts';

type Opened = Awaited<ReturnType<typeof openOver>>;

/** Every call of a part, by its path; what belongs to `using` is no call of its own. */
type CallOf<Part, Under extends string = ''> = {
  [Name in keyof Part & string]: Part[Name] extends (...args: never) => unknown
    ? `${Under}${Name}`
    : Part[Name] extends string
      ? never
      : Name extends 'state'
        ? never
        : CallOf<Part[Name], `${Name}.`>;
}[keyof Part & string];

/** Arguments that are refused, with the argument that the refusal names; and some that are not. */
interface Row {
  readonly bad: readonly (readonly [args: readonly unknown[], option: string, code?: string])[];
  readonly good: readonly unknown[];
}

const hello: Message = { role: 'user', content: 'Hello' };
const script = [
  { type: 'flamestack', version: 1, id: 't' },
  { type: 'append', message: hello },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');
const nothing: Row = { bad: [], good: [] };
const noSignals = [{}, null, 5, 'now'];
/** What is no key, where a key is all that can be given. */
const keys = (...before: readonly unknown[]): Row['bad'] => [
  ...[null, '', ' ', 5, {}, []].map((key) => [[...before, { key }], 'key'] as const),
  [[...before, { kye: 'k' }], 'kye'],
  [[...before, null], 'options'],
  [[...before, 'k'], 'options'],
];
const signals = (...before: readonly unknown[]): Row['bad'] =>
  noSignals.map((signal) => [[...before, { signal }], 'signal']);
const ids = (option: string): Row['bad'] =>
  [undefined, null, 5, {}, ['e1']].map((id) => [[id], option]);
const fails = (option: string, field: string, values: readonly unknown[]): Row['bad'] =>
  values.map((value) => [[{ [field]: value }], option]);
const noCounts = [null, Number.NaN, -1, 1.5, '2', true];

const identity = (rest: Readonly<Record<string, unknown>>): Row['bad'] => [
  [[undefined], 'frame'],
  [[null], 'frame'],
  [['Part'], 'frame'],
  [[{ ...rest }], 'title'],
  [[{ ...rest, title: 5 }], 'title'],
  [[{ ...rest, title: null }], 'title'],
  [[{ ...rest, title: ' ' }], 'title', 'FRAME_TITLE_TOO_LONG'],
  [[{ ...rest, title: 'Part', critera: 'Done' }], 'critera'],
  [[{ ...rest, title: 'Part', criteria: true }], 'criteria'],
  [[{ ...rest, title: 'Part', brief: 5 }], 'brief'],
];

const ofSession: Readonly<Record<Exclude<CallOf<Session>, 'close'>, Row>> = {
  append: {
    bad: [
      [[undefined], 'message', 'MESSAGE_INVALID'],
      // oxlint-disable-next-line no-sparse-arrays
      [[[, { role: 'user', content: 'x' }]], 'message', 'MESSAGE_INVALID'],
      [[{ role: 'user' }], 'content', 'MESSAGE_INVALID'],
      ...[-5, 1e300, Number.NaN, '1'].map((at) => [[hello, { at }], 'at'] as const),
      ...[5, 'nope', 'a5'].map((assembly) => [[hello, { assembly }], 'assembly'] as const),
      [[hello, { usage: { input_tokens: 5 } }], 'usage'],
      ...keys(hello),
      ...signals(hello),
    ],
    good: [hello, { key: 'k', at: 5 }],
  },
  assemble: {
    bad: [
      [[null], 'options'],
      [[{ tolls: [] }], 'tolls'],
      ...fails('tools', 'tools', [5, 'none', null, {}, [5n]]),
      ...signals(),
    ],
    good: [{ tools: [{ name: 'read' }] }],
  },
  at: {
    bad: [
      [[undefined], 'moment'],
      [[null], 'moment'],
      [[{}], 'moment'],
      [[{ seq: 1, turn: 1 }], 'moment'],
      [[{ seq: 1.5 }], 'seq'],
      [[{ entry: 5 }], 'entry'],
      [[{ time: 'now' }], 'time'],
    ],
    good: [{ seq: 1 }],
  },
  breadcrumbs: { bad: ids('checkpoint').slice(1), good: [] },
  compress: {
    bad: [
      [[null], 'options'],
      [[{ fokus: 'tests' }], 'fokus'],
      ...fails('focus', 'focus', [5, null]),
      ...signals(),
    ],
    good: [{ focus: 'tests' }],
  },
  configure: {
    bad: [
      [[null], 'options'],
      [[undefined], 'options'],
      [[{ widow: 5 }], 'widow'],
      ...fails('window', 'window', [null, 1.5, '8000', Number.NaN]),
      ...fails('reserve', 'reserve', [null, -1, 1e9]),
      ...fails('system', 'system', [null, 5]),
      ...fails('model', 'model', [null, '', 5]),
      ...fails('modelSize', 'modelSize', [null, true, '7', -1, Number.NaN]),
      ...fails('summarizer', 'summarizer', [null, 5, {}]),
      ...fails('trigger', 'trigger', [null, '0.7', 7]),
      ...fails('preserveRecent', 'preserveRecent', [null, -1, '9']),
      ...fails('summaryTokens', 'summaryTokens', [null, 1]),
      ...fails('strategy', 'strategy', [null, 'best']),
      ...fails('compression', 'compression', [null, 'off']),
      ...fails('markers', 'markers', [null, 'yes']),
      ...fails('aging', 'aging', [null, 'none']),
      ...fails('destructive', 'destructive', ['rm', ['('], [5]]),
      ...fails('snapshots', 'snapshots', [null, true]),
      ...fails('recovery', 'recovery', [null, true]),
      ...fails('title', 'title', [null, {}, 5]),
    ],
    good: [{ window: 9_000, destructive: null }],
  },
  diff: {
    bad: [
      [[undefined], 'moment'],
      [[null], 'moment'],
      [[{ seq: 1 }, null], 'moment'],
      [[{ assemble: 5 }], 'moment'],
    ],
    good: [{ seq: 1 }],
  },
  document: nothing,
  entry: { bad: ids('entry'), good: ['e1'] },
  events: {
    bad: [
      [[null], 'options'],
      [[{ afetr: 1 }], 'afetr'],
      ...fails('after', 'after', [null, -1, 1.5, Number.NaN, '1', 1e15]),
      ...signals(),
    ],
    good: [{ after: 1 }],
  },
  inspect: {
    bad: [
      [[null], 'options'],
      [[{ form: 1 }], 'form'],
      ...fails('after', 'after', [null, -1, 1.5, '1', 1e15]),
      ...fails('to', 'to', [null, 0, '1']),
      ...fails('live', 'live', [null, 1]),
      ...fails('text', 'text', [null, 'yes']),
      ...signals(),
    ],
    good: [{ after: 0, to: 1, text: true }],
  },
  expand: {
    bad: [
      ...ids('ref'),
      [['nowhere'], 'ref'],
      [['e1', null], 'options'],
      [['e1', { limt: 1 }], 'limt'],
      ...noCounts.map((limit) => [['e1', { limit }], 'limit'] as const),
      ...signals('e1'),
    ],
    good: ['e1', { limit: 1 }],
  },
  export: { bad: [[[null], 'options'], [[{ sginal: 5 }], 'sginal'], ...signals()], good: [{}] },
  'frames.edit': {
    bad: [
      ...[undefined, null, 5].map((id) => [[id, { title: 'Part' }], 'frame'] as const),
      [['f1', undefined], 'identity'],
      [['f1', null], 'identity'],
      [['f1', { titel: 'Part' }], 'titel'],
      [['f1', { title: 5 }], 'title'],
      [['f1', { criteria: true }], 'criteria'],
      [['f1', { brief: 5 }], 'brief'],
      ...keys('f1', { title: 'Part' }),
    ],
    good: ['f1', { title: 'Other part' }],
  },
  'frames.invalidate': {
    bad: [
      ...ids('frame'),
      [['f1', null], 'reason'],
      [['f1', 5], 'reason'],
      [['f1', { reason: 5 }], 'reason'],
      [['f1', { raeson: 'x' }], 'raeson'],
      [['f1', { key: '' }], 'key'],
      ...keys('f1', 'not needed'),
    ],
    good: ['f1', 'not needed'],
  },
  'frames.plan': {
    bad: [
      ...identity({ parent: 'f0' }),
      ...[Number.NaN, -1, 5, null, {}].map(
        (parent) => [[{ title: 'Part', parent }], 'parent'] as const,
      ),
      ...keys({ title: 'Part' }),
    ],
    good: [{ title: 'Part', parent: 'f0' }, { key: 'k' }],
  },
  'frames.left': nothing,
  'frames.retry': { bad: [...ids('frame'), ...keys('f2')], good: ['f2'] },
  'frames.start': { bad: [...ids('frame'), ...keys('f1')], good: ['f1'] },
  'frames.tree': nothing,
  'goal.complete': nothing,
  'goal.pause': nothing,
  'goal.resume': nothing,
  'goal.set': {
    bad: [
      ...[undefined, null, 5, []].map((goal) => [[goal], 'goal'] as const),
      [[''], 'goal.description'],
      [[{}], 'goal.description'],
      [[{ description: 5 }], 'goal.description'],
      [[{ description: 'Ship', titel: 'x' }], 'titel'],
      [[{ description: 'Ship', next: 'x' }], 'goal.next'],
      ...keys('Ship'),
    ],
    good: [{ description: 'Ship', next: undefined }],
  },
  'goal.update': {
    bad: [
      ...[undefined, null, 5, 'Ship', []].map((patch) => [[patch], 'goal'] as const),
      [[{ nxet: [] }], 'nxet'],
      [[{ next: 'x' }], 'goal.next'],
      [[{ decisions: [{ text: 5, locked: true }] }], 'goal.decisions'],
    ],
    good: [{ next: ['Test'] }],
  },
  log: {
    bad: [
      [[null], 'options'],
      [[{ affter: 'e1' }], 'affter'],
      ...fails('frame', 'frame', [null, 5]),
      ...fails('after', 'after', [null, 5, ['e1']]),
      ...fails('entry', 'after', ['e99', 'f1', '']).map(
        ([args, option]) => [args, option, 'ENTRY_NOT_FOUND'] as const,
      ),
      ...fails('before', 'before', [null, 5]),
      ...fails('reverse', 'reverse', ['true', null]),
      ...fails('limit', 'limit', noCounts),
      ...signals(),
    ],
    good: [{ after: 'e1', limit: Number.POSITIVE_INFINITY }],
  },
  on: {
    bad: [
      [['entry.apended', () => undefined], 'type'],
      [[undefined, () => undefined], 'type'],
      [['entry.appended', undefined], 'listener'],
      [['*', 5], 'listener'],
    ],
    good: ['entry.appended', () => undefined],
  },
  pop: {
    bad: [
      [[undefined], 'results'],
      [[null], 'results'],
      [[{}], 'status'],
      [[{ status: 'done' }], 'status'],
      [[{ status: 'completed', result: 'All of it' }], 'result'],
      [[{ status: 'completed', frame: null }], 'frame'],
      [[{ status: 'completed', results: 5 }], 'results'],
      [[{ status: 'completed', brief: 5 }], 'brief'],
      [[{ status: 'completed', artifacts: [null] }], 'artifacts'],
      [[{ status: 'completed', artifacts: 'a.ts' }], 'artifacts'],
      [[{ status: 'completed', decisions: [1] }], 'decisions'],
      [[{ status: 'failed', drop: 'false' }], 'drop'],
      ...keys({ status: 'completed' }),
    ],
    good: [{ status: 'completed', drop: true }],
  },
  push: {
    bad: [
      ...identity({}),
      [[{ title: 'Part', parent: 'f0' }], 'parent'],
      ...keys({ title: 'Part' }),
    ],
    good: [{ title: 'Part' }, { key: 'k' }],
  },
  raise: { bad: ids('checkpoint'), good: [] },
  redact: { bad: ids('entry'), good: ['e1'] },
  recall: {
    bad: [
      ...ids('query'),
      [['x', null], 'options'],
      [['x', { rol: 'user' }], 'rol'],
      ...noCounts.map((limit) => [['x', { limit }], 'limit'] as const),
      ...signals('x'),
    ],
    good: ['hello', { limit: 1 }],
  },
  recover: {
    bad: [
      [[null], 'options'],
      [['memory'], 'options'],
      [[{ form: 'memory' }], 'form'],
      ...fails('from', 'from', [null, 5, '']),
    ],
    good: [],
  },
  'recovery.confirm': {
    bad: [null, Number.NaN, 5, {}, [], '', ' '].map((answer) => [[answer], 'answer']),
    good: [],
  },
  'recovery.preview': { bad: [], good: [] },
  redo: { bad: keys(), good: [] },
  report: {
    bad: [
      ...[undefined, null, 5, []].map((given) => [[given], 'report'] as const),
      [[{ widnow: 4_000 }], 'widnow'],
      ...fails('window', 'window', [null, 0, 1.5, -1, '4000', Number.NaN]),
      ...fails('window', 'window', [1, 10, 100, 500, 999]).map(
        ([args, option]) => [args, option, 'WINDOW_TOO_SMALL'] as const,
      ),
      [[{ window: 500, error: new Error('prompt is too long') }], 'window', 'WINDOW_TOO_SMALL'],
      ...fails('messages', 'messages', [null, 1.5, -1]),
      ...fails('assembly', 'assembly', [null, 5, '', 'nope']),
      ...fails('usage', 'usage', [null, { prompt_tokens: 5 }]),
      [[{ usage: { inputTokens: 1.5 } }], 'usage.inputTokens'],
    ],
    good: [{ window: 6_000 }],
  },
  settled: {
    bad: [[[null], 'options'], [[{ timeout: 5 }], 'timeout'], ...signals()],
    good: [],
  },
  steps: nothing,
  'snapshots.create': { bad: [null, 5, {}].map((title) => [[title], 'title']), good: ['Here'] },
  'snapshots.delete': { bad: ids('snapshot'), good: ['s1'] },
  'snapshots.list': nothing,
  'snapshots.restore': { bad: [...ids('snapshot'), ...keys('s1')], good: ['s1', { key: 'k' }] },
  'snapshots.show': { bad: ids('snapshot'), good: ['s1'] },
  sync: {
    bad: [
      ...[undefined, null, 5, {}].map((history) => [[history], 'history'] as const),
      [[[null]], 'message', 'MESSAGE_INVALID'],
    ],
    good: [[hello]],
  },
  tools: nothing,
  trace: {
    bad: [
      ...[undefined, null, 'x', {}].map((given) => [[given], 'given'] as const),
      [[{ text: 5 }], 'text'],
      [[{ text: 'x' }, null], 'options'],
      ...signals({ text: 'x' }),
    ],
    good: [{ text: 'hello' }],
  },
  undo: { bad: keys(), good: [{ key: 'k' }] },
  where: { bad: ids('entry'), good: ['e1'] },
  writeDocument: nothing,
};

/** What is no id of a session: of another type, or another text. */
const sessionIds: Row['bad'] = [
  ...[undefined, null, 5, {}].map((id) => [[id], 'session'] as const),
  ...['', 'a b'].map((id) => [[id], 'session', 'SESSION_ID_INVALID'] as const),
];

const ofStore: Readonly<Record<Exclude<CallOf<Opened>, 'resume' | 'live'>, Row>> = {
  open: {
    bad: [
      ...sessionIds,
      [['s', null], 'options'],
      [['s', { widow: 5 }], 'widow'],
      [['new', { window: 8_000, title: 5 }], 'title'],
      [['new', { window: 8_000, modelSize: true }], 'modelSize'],
    ],
    good: ['s'],
  },
  sessions: {
    bad: [
      [[null], 'options'],
      [[{ lmit: 1 }], 'lmit'],
      ...fails('prefix', 'prefix', [null, 5]),
      ...fails('after', 'after', [null, 5]),
      ...fails('limit', 'limit', noCounts),
      ...fails('reverse', 'reverse', [1]),
    ],
    good: [{ limit: 1 }],
  },
  recall: {
    bad: [
      ...ids('query'),
      [['x', null], 'options'],
      [['x', { sesion: 's' }], 'sesion'],
      ...noCounts.map((limit) => [['x', { limit }], 'limit'] as const),
      ...signals('x'),
    ],
    good: ['hello'],
  },
  backup: {
    bad: [
      ...[undefined, null, '', 5].map((folder) => [[folder], 'folder'] as const),
      [['/nowhere/at/all', null], 'options'],
      [['/nowhere/at/all', { onProgress: 5 }], 'onProgress'],
    ],
    good: [],
  },
  compact: {
    bad: [
      [[null], 'options'],
      [[{ onProgress: 5 }], 'onProgress'],
    ],
    good: [],
  },
  replay: {
    bad: [
      ...sessionIds,
      [['s', null], 'options'],
      [['s', { form: 1 }], 'form'],
      [['s', { from: '1' }], 'from'],
      [['s', { from: 1.5 }], 'from'],
      [['s', { from: {} }], 'moment'],
      [['s', { to: { turn: 1, seq: 1 } }], 'moment'],
      [['s', { decide: 1 }], 'decide'],
      [['s', { from: 2, to: 1 }], 'to'],
    ],
    good: ['s', { from: 1, to: { seq: 2 }, decide: true }],
  },
  delete: {
    bad: sessionIds,
    good: [],
  },
  verify: {
    bad: [
      [[null], 'options'],
      [[{ sesion: 's' }], 'sesion'],
      [[{ session: 5 }], 'session'],
      [[{ session: '' }], 'session', 'SESSION_ID_INVALID'],
      [[{ onProgress: 5 }], 'onProgress'],
    ],
    good: [{ session: 's' }],
  },
  import: {
    bad: [
      ...[undefined, null, 5, {}, new URL('http://localhost/')].map(
        (source) => [[source], 'source'] as const,
      ),
      [['x', null], 'options'],
      [['x', { fromat: 'pi' }], 'fromat'],
      [['x', { format: 5 }], 'format'],
      [['x', { onProgress: 5 }], 'onProgress'],
      [['x', { title: 5 }], 'title'],
      [['x', { id: '' }], 'id', 'SESSION_ID_INVALID'],
      ...signals('x'),
    ],
    good: [[script]],
  },
  close: {
    bad: [
      [[null], 'options'],
      [[{ timeot: 1 }], 'timeot'],
      ...fails('timeout', 'timeout', [null, -1, 1.5, '5', Number.POSITIVE_INFINITY, 2 ** 31]),
    ],
    good: [{ timeout: 1_000 }],
  },
};

/** Makes a call by its path; one that yields is asked for its first. */
async function make(on: object, path: string, args: readonly unknown[]): Promise<void> {
  const names = path.split('.');
  let part = on as Record<string, unknown>;
  for (const name of names.slice(0, -1)) part = part[name] as Record<string, unknown>;
  const call = part[names.at(-1)!] as (...given: readonly unknown[]) => unknown;
  const answer = await call(...args);
  if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
    for await (const _ of answer as AsyncIterable<unknown>) return;
}

/** A session in which each call has something to work on. */
async function begin() {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window: 8_192 });
  await session.append(hello);
  await session.frames.plan({ title: 'Planned part' });
  await session.push({ title: 'Failed part' });
  await session.append({ role: 'assistant', content: 'Hi' });
  await session.pop({ status: 'failed', results: 'Nothing' });
  await session.goal.set('Ship');
  await session.snapshots.create('Before');
  await session.assemble();
  return { disk, store, session };
}

const refused = async (work: Promise<unknown>): Promise<readonly unknown[]> => {
  const error = await work.then(
    () => 'nothing was refused',
    (error: unknown) => error,
  );
  if (!isEngineError(error)) return [error];
  const { option, field, entry, title, window, session } = error.detail as Readonly<
    Record<string, unknown>
  >;
  return [error.code, option ?? field ?? [entry, title, window, session]];
};

const nameless = new Set([
  'ENTRY_NOT_FOUND',
  'FRAME_TITLE_TOO_LONG',
  'WINDOW_TOO_SMALL',
  'SESSION_ID_INVALID',
]);

async function walk(path: string, on: 'session' | 'store', { bad, good }: Row): Promise<void> {
  const { disk, store, session } = await begin();
  const part = on === 'session' ? session : store;
  const before = await everything(disk, store);
  for (const [args, option, code = 'OPTION_INVALID'] of bad) {
    const about = `${path}(${inspect(args)})`;
    const [found, named] = await refused(make(part, path, args));
    expect([found, nameless.has(code) ? option : named], about).toEqual([code, option]);
    expect(await everything(disk, store), about).toBe(before);
  }
  const needsMore = [
    'backup',
    'delete',
    'raise',
    'redo',
    'recovery.confirm',
    'writeDocument',
    'goal.resume',
  ];
  if (path === 'pop') await session.push({ title: 'Part' });
  if (!needsMore.includes(path)) await make(part, path, good);
  if (path === 'close') return;
  await session.append(hello);
  expect((await session.assemble()).messages.length).toBeGreaterThan(0);
  await store.close();
}

test.each(Object.entries(ofSession))(
  'session.%s refuses wrong arguments by name, and changes nothing',
  async (path, row) => walk(path, 'session', row),
);

test.each(Object.entries(ofStore))(
  'store.%s refuses wrong arguments by name, and changes nothing',
  async (path, row) => walk(path, 'store', row),
);

test('opening a store refuses wrong arguments by name', async () => {
  const open = openStore as (...args: readonly unknown[]) => Promise<unknown>;
  const rows: Row['bad'] = [
    ...[undefined, null, '', 5].map((location) => [[location], 'location'] as const),
    [[':memory:', null], 'options'],
    ...[
      ...fails('durability', 'durability', ['none', null]),
      ...fails('clock', 'clock', [{}, null, 5]),
      ...fails('summarizers', 'summarizers', [5, null, {}]),
      ...fails('summarizer', 'summarizers', [[null], [{}]]),
      ...fails('effects', 'effects', [null, 5]),
      ...fails('effects.timeout', 'effects', [{ timeout: Number.POSITIVE_INFINITY }]),
      ...fails('effects.concurrency', 'effects', [{ concurrency: 0 }]),
      ...fails('maxQueued', 'maxQueued', [null, 0]),
      ...fails('documents', 'documents', [null, true, '']),
      ...fails('create', 'create', ['no']),
      ...fails('durabilty', 'durabilty', ['power']),
    ].map(([[options], option]) => [[':memory:', options], option] as const),
  ];
  for (const [args, option] of rows)
    expect(await refused(open(...args)), option).toEqual(['OPTION_INVALID', option]);
});

test('a window that no server can mean is not believed, and its error is taken in', async () => {
  const { store, session } = await begin();
  const { id } = await session.assemble();
  for (const words of ['5123 tokens > 0 maximum', `5123 tokens > ${'9'.repeat(30)} maximum`]) {
    const error = new Error(`prompt is too long: ${words}`);
    expect(await session.report({ assembly: id, error })).toMatchObject({ truncation: 'certain' });
    expect(session.state.budget.window).toBe(8_192);
  }
  await store.close();
});

test('a report of a window that leaves the system prompt no room changes nothing', async () => {
  const { disk, store, session } = await begin();
  await session.configure({ system: 'word '.repeat(900) });
  const { id } = await session.assemble();
  const before = await everything(disk, store);
  const given = { assembly: id, usage: { inputTokens: 900 }, window: 1_200 };
  await expect(session.report(given)).rejects.toMatchObject({ code: 'SYSTEM_TOO_LARGE' });
  expect(await everything(disk, store)).toBe(before);
  await store.close();
});
