import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Reader } from '../../../src/cli/io.ts';
import { openStore } from '../../../src/index.ts';
import { demoStore, flamestack, folder, type Surroundings } from '../call.ts';

const typing = (line: string): Reader =>
  Object.assign(Readable.from([Buffer.from(`${line}\n`)]), { isTTY: true });

/** How far the journal has come. */
async function seqOf(folder: string): Promise<number> {
  await using store = await openStore(folder, { readOnly: true });
  await using session = await store.open('demo');
  return session.state.seq;
}

test.each(['undo', 'recover'])(
  '%s --dry-run says what it would do, and does nothing',
  async (line) => {
    const store = await demoStore('4k');
    const before = await seqOf(store);
    const { exit, out, err } = await flamestack(`${line} --dry-run --store ${store}`);
    expect(exit).toBe(0);
    expect(out).toMatch(line === 'undo' ? /^Would undo the .* \(turn \d+\)\./ : /^demo: turn 17, /);
    expect(err).toContain('Nothing was done.');
    const { out: json } = await flamestack(`${line} --dry-run --json --store ${store}`);
    expect(JSON.parse(json)).toMatchObject({ schema: `flamestack.${line}/1`, dry: true });
    expect(await seqOf(store)).toBe(before);
  },
);

test.each([
  ['undo', 'Take back the ', 'Nothing was taken back.'],
  ['recover', 'Begin the next prompt with that?', 'Nothing was recovered.'],
])('%s asks at a terminal, and does it on yes alone', async (line, question, nothing) => {
  const store = await demoStore('4k');
  const before = await seqOf(store);
  const no = await flamestack(`${line} --store ${store}`, { stdin: typing('') });
  expect(no).toMatchObject({ exit: 0, out: '' });
  expect(no.err).toContain(question);
  expect(no.err).toContain(nothing);
  expect(await seqOf(store)).toBe(before);
  await flamestack(`${line} --store ${store}`, { stdin: typing('y') });
  expect(await seqOf(store)).toBeGreaterThan(before);
});

/** Somebody at a terminal who says yes to each question, after `meanwhile` was done in the store. */
function yesAfter(meanwhile: (question: number) => Promise<void>): Surroundings {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let asked = 0;
  return {
    stdin,
    onErr(err) {
      const count = err.split('[y/N]').length - 1;
      if (count <= asked) return;
      asked = count;
      void meanwhile(count).then(
        () => stdin.write('y\n'),
        (error: Error) => stdin.end(`no: ${error.message}\n`),
      );
    },
  };
}

test.each(['undo demo', 'recover demo'])(
  'while %s asks, others write into the store',
  async (line) => {
    const store = await demoStore('4k');
    const before = await seqOf(store);
    const write = async (): Promise<void> => {
      await using open = await openStore(store);
      const other = await open.open('other', { window: 4_000 });
      await other.append({ role: 'user', content: 'Hello' });
    };
    const { exit, err } = await flamestack(`${line} --store ${store}`, yesAfter(write));
    expect([exit, err.match(/\[y\/N\]/g)]).toEqual([0, ['[y/N]']]);
    expect(await seqOf(store)).toBeGreaterThan(before);
  },
);

test('a step that came while undo asked is asked about anew, and the one that was meant is not taken for it', async () => {
  const store = await demoStore('4k');
  const push = async (question: number): Promise<void> => {
    if (question > 1) return;
    await using open = await openStore(store);
    await (await open.open('demo')).push({ title: 'Meanwhile' });
  };
  const { exit, out, err } = await flamestack(`undo demo --store ${store}`, yesAfter(push));
  expect(exit).toBe(0);
  expect(err).toContain('The session has gone on meanwhile.');
  expect(err).toMatch(/Take back the push of .*Meanwhile/);
  expect(out).toContain('Took back the push of');
});

test('a frame without a title of its own is called by its id alone, not by that of the session', async () => {
  const at = await folder();
  {
    await using store = await openStore(at);
    const session = await store.open('demo', { window: 2_000 });
    await session.append({ role: 'user', content: 'Tidy the parts.' });
    for (let n = 1; n <= 30; n += 1)
      await session.append({ role: 'assistant', content: `Part ${n} is tidy. `.repeat(30) });
    await session.assemble();
    expect(session.state.compressions).toBeGreaterThan(0);
  }
  for (const line of ['undo --dry-run', 'undo --list', 'recover --dry-run', 'show --entry e2']) {
    const { out } = await flamestack(
      `${line}${line.startsWith('show') ? '' : ' demo'} --store ${at}`,
    );
    expect(out).toMatch(/\bf0\b/);
    expect(out).not.toMatch(/f0 +"?demo/);
  }
});

test.each(['', ' --json'])('undo in a pipe takes --yes%s, and does nothing without', async (as) => {
  const store = await demoStore('4k');
  const before = await seqOf(store);
  const { exit, out, err } = await flamestack(`undo --store ${store}${as}`);
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain('Taking back: nobody can be asked here: say --yes');
  expect(await seqOf(store)).toBe(before);
  expect(await flamestack(`undo --yes --store ${store}${as}`)).toMatchObject({ exit: 0 });
  expect(await seqOf(store)).toBeGreaterThan(before);
});

test('undo --yes does not ask', async () => {
  const store = await demoStore('4k');
  const told = await flamestack(`undo --yes --store ${store}`, { stdin: typing('') });
  expect(told.out).toMatch(/^Took back /);
});

test('a diff names all that was lost, kept and came, by kind', async () => {
  const store = await demoStore();
  const { out } = await flamestack(`diff seq:60 --store ${store}`);
  const { out: json } = await flamestack(`diff seq:60 --json --store ${store}`);
  type Facts = Record<'lost' | 'kept' | 'gained', readonly { name: string; kind: string }[]>;
  const { facts } = JSON.parse(json) as { facts: Facts };
  expect(facts.kept.length).toBeGreaterThan(12);
  const parts = out.split(/\n(?=(?:Lost from the prompt, in the log still|Kept|New):\n)/).slice(1);
  for (const [at, part] of (['lost', 'kept', 'gained'] as const).entries()) {
    const told = parts[at]!.replace(/\s+/g, ' ');
    // Names hold commas themselves.
    expect(told).toContain(' · ');
    expect(parts[at]).not.toMatch(/^ *[,·]/m);
    expect(facts[part].length).toBeGreaterThan(0);
    for (const { name } of facts[part]) expect(told).toContain(name);
    for (const kind of new Set(facts[part].map((one) => one.kind))) {
      const count = facts[part].filter((one) => one.kind === kind).length;
      expect(told).toContain(` ${count} ${kind}${count === 1 ? '' : 's'} `);
    }
  }
});

test('recover shows the sentence that the next prompt begins with before it does anything, parted between words', async () => {
  const at = await folder();
  {
    await using store = await openStore(at);
    const session = await store.open('demo', { window: 4_000 });
    await session.append({
      role: 'user',
      content: 'Tidy the parts, one after the other. '.repeat(4),
    });
    await session.append({ role: 'assistant', content: 'I tidy them.' });
    await session.append({ role: 'user', content: 'ok' });
  }
  const dry = await flamestack(`recover --dry-run --store ${at}`);
  const { out: json } = await flamestack(`recover --dry-run --json --store ${at}`);
  const { line } = JSON.parse(json) as { line: string };
  expect(dry.out).toContain(`  prompt ${line}\n`);
  expect(dry.out).toMatch(/^ {2}frame {2}f0 Tidy the parts, one after the other\./m);
  const look = { isTTY: true, columns: 60, stdin: typing('y') };
  const { out, err } = await flamestack(`recover --store ${at}`, look);
  const lines = [...out.split('\n'), ...err.split('\n')];
  expect(lines.filter((line) => line.length > 60 && !/flamestack |y\/N/.test(line))).toEqual([]);
  expect(out.replace(/\s+/g, ' ')).toBe(`${line} `);
  expect(out.trimEnd().split('\n').length).toBeGreaterThan(2);
  const asked = err.slice(0, err.indexOf('Begin the next prompt')).replace(/\s+/g, ' ');
  expect(asked).toContain(` prompt ${line} `);
});
