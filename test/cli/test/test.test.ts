import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { file, flamestack, plainLines } from '../call.ts';

// Scripts as a stranger writes them: right ones, and ones with every mistake that there is.

/** What is said of the steps of one script, and the exit code. */
async function told(steps: string, head = 'test: it'): Promise<{ exit: number; out: string }> {
  const path = await file('it.yaml', `${head}\nsteps:\n${steps}`);
  const { exit, out } = await flamestack(`test ${path}`);
  for (const line of plainLines(out).filter((line) => !line.includes('/')))
    expect(line.length).toBeLessThanOrEqual(80);
  return { exit, out: out.replaceAll(path, 'it.yaml') };
}

test('the example holds', async () => {
  const { exit, out } = await flamestack('test examples/notes-app.test.yaml');
  expect(out).toContain('5 scripts');
  expect(out).not.toContain('✗');
  expect(exit).toBe(0);
});

const page = readFileSync(new URL('../../../docs/testing.md', import.meta.url), 'utf8');

test.each([...page.matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, yaml]) => yaml!))(
  'docs/testing.md has a script that holds: %j',
  async (yaml) => {
    const { exit, out } = await flamestack(`test ${await file('page.yaml', yaml)}`);
    expect({ exit, out }).toMatchObject({ exit: 0 });
  },
);

test.each([
  ['  - usr: Hello', '3:5', 'There is no step "usr"; did you mean "user"?'],
  ['  - assistnat: Hello', '3:5', 'There is no step "assistnat"; did you mean "assistant"?'],
  ['  - frobnicate: 1', '3:5', 'There is no step "frobnicate"; there are user, assistant,'],
  ['  - expect:\n      show: Hello', '4:7', '"expect" has no "show"; did you mean "shows"?'],
  [
    '  - user: a\n    refused: FRAME_NOT_FOUNT',
    '4:14',
    'There is no code "FRAME_NOT_FOUNT"; did you mean "FRAME_NOT_FOUND"?',
  ],
  ['  - user: a\n    crsh: in', '4:5', 'Beside "user" there is no "crsh"; did you mean "crash"?'],
  ['  - user: a\n    tool: b', '4:5', '"user" and "tool" are two steps'],
  [
    '  - pop: { status: done }',
    '3:20',
    '"pop.status" cannot be "done"; it takes one of completed,',
  ],
  ['  - push: { titel: x }', '3:13', '"push" has no "titel"; did you mean "title"?'],
  ['  - wait: soon', '3:11', '"wait" cannot be "soon"; it takes milliseconds, or a text like'],
  ['  - user', '', ''],
  ['  - 7', '3:5', 'A step is a name with a value, not 7'],
  ['  - user: {', '3:12', 'Flow map in block collection must be sufficiently indented'],
  ['  - expect: { facts: [entry.appendd] }', '3:23', 'no fact "entry.appendd"; did you mean'],
  ['  - expect: { facts: { entry.apended: 1 } }', '3:24', 'no fact "entry.apended"; did you mean'],
  ['  - repeat: { times: 2, steps: [{ usr: x }] }', '3:35', 'There is no step "usr"'],
  ["  - expect: { shows: { match: '([' } }", '3:22', '"expect.shows" cannot be {"match":"(["}'],
  ['  - user: a\n    crash: out', '4:12', '"crash" cannot be "out"; it takes one of before, in,'],
  ['  - expect: { state: { budgt: 1 } }', '3:24', 'no field "budgt"; did you mean "budget"?'],
])('%j is told with its place', async (steps, place, words) => {
  const { exit, out } = await told(steps);
  if (words === '') return expect(exit).toBe(0);
  expect(exit).toBe(1);
  expect(out).toContain(`it.yaml:${place}\n`);
  expect(out.replace(/\s+/g, ' ')).toContain(words);
});

test('mistakes of the head are told, and those of the files', async () => {
  expect((await told('  []', 'session: { windw: 1 }')).out).toContain('A script needs "test"');
  const { out } = await told('  []', 'test: it\nsession: { windw: 1 }');
  expect(out).toContain('"session" has no "windw"; did you mean "window"?');
  expect((await told('  []', 'test: it\nsession: { window: 500 }')).out).toContain('below 1000');
  expect((await told('  []', '- a')).out).toContain('it.yaml:');
  const nowhere = await flamestack('test nowhere.yaml');
  expect(nowhere).toMatchObject({ exit: 1, out: expect.stringContaining('does not exist') });
  const empty = await file('empty.yaml', '# nothing\n');
  expect((await flamestack(`test ${empty}`)).out).toContain('has no script');
});

const head = 'test: it\nsession: { window: 2k, reserve: 0 }';

test.each([
  ['shows: "8132"', ['the window shows "8132"', 'there  1 message', 'no entry of the log says it']],
  ['shows: { text: Port, in: goal }', ['section "goal" shows', 'it is in e1', 'Port 8123 stays.']],
  ['shows: Port 8132 stays.', ['nearest  e1 (user, working): “Port 8123 stays.”']],
  ['hides: 8123', ['the window does not show', 'there  e1 (user, working): “Port 8123 stays.”']],
  ['fits: 3', ['the prompt has at most 3 tokens', 'of 2048, in a window of 2048 less 0']],
  ['where: { e1: checkpoint }', ['e1 is checkpoint', 'there  verbatim of f0']],
  ['where: { e9: verbatim }', ['there  There is no entry "e9"']],
  ['state: { entries: 2, budget: { window: "> 4000" } }', ['entries is 2', 'there  1', '2048']],
  ['frames: { f0: completed, x: failed }', ['there  in_progress', 'no such frame; there are f0']],
  ['facts: [frame.pushed]', ['frame.pushed since the last', 'there  session.created, entry.app']],
  ['facts: { entry.appended: 2 }', ['2 × entry.appended', 'there  1']],
  ['recalls: { port: e7 }', ['recall of "port" finds e7', 'there  e1']],
  ['summaries: 1', ['1 call of the summarizer', 'there  0']],
  ['window: "x"', ['--update records', '- x', '+ working']],
])('an expectation that is not met says what is there: %s', async (expectation, words) => {
  const steps = `  - user: Port 8123 stays.\n  - expect: { ${expectation} }`;
  const { exit, out } = await told(steps, head);
  expect(exit).toBe(4);
  expect(out).toContain('it.yaml:5:');
  for (const word of words) expect(out).toContain(word);
});

test.each([
  ['  - start: nowhere', 'FRAME_NOT_FOUND: There is no frame "nowhere"'],
  ['  - user: a\n    refused: BUSY', 'the step is refused with BUSY'],
  ['  - wait: 5s\n    crash: before', '"wait" wrote nothing'],
  [
    '  - repeat:\n      times: 3\n      steps: [{ user: a }, { expect: { state: { entries: 1 } } }]',
    'there  2\n      in round 2 of 3',
  ],
  ['  - answer: x', 'The script names no summarizer'],
])('a step that does something else is told: %j', async (steps, words) => {
  const { exit, out } = await told(steps);
  expect(exit).toBe(4);
  expect(out).toContain(words);
});

const recorded = `# kept
test: it
session: { window: 2k }
steps:
  - user: Port 8123 stays.
  - expect:
      window: # the prompt
      trace: it.trace
  - expect: { window: , fits: true } # flow
`;

test('--update records prompts and traces in their places, and what changed then is told', async () => {
  const path = await file('it.yaml', recorded);
  expect((await flamestack(`test ${path}`)).exit).toBe(4);
  const update = await flamestack(`test ${path} --update`);
  expect(update).toMatchObject({ exit: 0, out: expect.stringContaining('2 texts recorded') });
  const text = await readFile(path, 'utf8');
  expect(text).toContain('# kept\ntest: it');
  expect(text).toContain('      window: |\n        working     user      e1');
  expect(text).toContain('fits: true } # flow');
  expect((await flamestack(`test ${path}`)).exit).toBe(0);
  const trace = join(dirname(path), 'it.trace');
  expect(await readFile(trace, 'utf8')).toBe(
    '   1 session.created session=test system=0\n' +
      '   2 entry.appended entry=e1 frame=f0 role=user human form=whole tokens=10\n',
  );
  await writeFile(path, text.replace('Port 8123 stays.', 'Port 8123 stays there.'));
  const { out } = await flamestack(`test ${path}`);
  expect(out).toContain(
    '-        tokens=10\n      +    2 entry.appended entry=e1 frame=f0 role=user human form=whole\n      +        tokens=11\n',
  );
});

test.each([
  ['trace: ', 'The trace'],
  ['window: ', 'The window'],
])(
  '--update records no %j of a repeated step that differs from round to round',
  async (wanted, what) => {
    const steps = `  - repeat: {times: 2, steps: [{user: Hello there.}, {expect: {${wanted}}}]}`;
    const text = `test: it\nsteps:\n${steps}\n`;
    const path = await file('it.yaml', text);
    const { exit, out } = await flamestack(`test ${path} --update`);
    expect(exit).toBe(1);
    expect(out).toContain(`${path}:3:`);
    expect(out.replace(/\s+/g, ' ')).toContain(
      `${what} differs from round to round, and a repeated step has one place to record it: put this expect behind the repeat`,
    );
    expect(await readFile(path, 'utf8')).toBe(text);
  },
);

test('--update records a text of a repeated step once where it is the same in each round', async () => {
  const steps = '  - user: Hello there.\n  - repeat: {times: 2, steps: [{expect: {window: }}]}';
  const path = await file('it.yaml', `test: it\nsteps:\n${steps}\n`);
  const { exit, out } = await flamestack(`test ${path} --update`);
  expect([exit, out]).toEqual([0, expect.stringContaining('1 text recorded')]);
  for (const flag of ['', ' --update'])
    expect((await flamestack(`test ${path}${flag}`)).exit).toBe(0);
});

test('--update writes no text into a module, and says where to record it', async () => {
  const code = (trace: string): string =>
    `export default { test: 'it', steps: [{ user: 'Hi' }, { expect: { window: '', trace: '${trace}' } }] };`;
  const path = await file('gold.mjs', code(''));
  for (const flag of ['', ' --update']) {
    const { exit, out } = await flamestack(`test ${path}${flag}`);
    expect(exit).toBe(4);
    expect(out).not.toContain('recorded\n');
    expect(out.replace(/\s+/g, ' ')).toContain("name a file, trace: 'name.trace', or write the");
  }
  const named = await file('named.mjs', code('it.trace').replace("window: '', ", ''));
  expect((await flamestack(`test ${named} --update`)).exit).toBe(0);
  expect((await flamestack(`test ${named}`)).exit).toBe(0);
});

test('the same script gives the same trace', async () => {
  const steps =
    '  - repeat: { times: 9, steps: [{ user: { tokens: 300 } }] }\n  - expect: { trace: a.trace }';
  const path = await file('it.yaml', `${head}\nsteps:\n${steps}\n`);
  expect((await flamestack(`test ${path} --update`)).exit).toBe(0);
  expect((await flamestack(`test ${path}`)).exit).toBe(0);
});

test('TAP, JUnit and JSON tell the same', async () => {
  const path = await file(
    'it.yaml',
    'test: good & "well"\nsteps: []\n---\ntest: bad\nsteps: [x: <1>]\n',
  );
  const tap = await flamestack(`test ${path} --reporter tap`);
  expect(tap.out).toMatch(/^TAP version 14\nok 1 - .*good & "well"\nnot ok 2 - .*bad\n {2}---\n/);
  expect(tap.out).toMatch(/\n1\.\.2\n$/);
  const junit = await flamestack(`test ${path} --reporter junit`);
  expect(junit.out).toContain('<testsuites tests="2" failures="0" errors="1"');
  expect(junit.out).toContain('name="good &amp; &quot;well&quot;"');
  expect(junit.out).toContain('There is no step &quot;x&quot;');
  const json = (await flamestack(`test ${path} --json`)).out.trim().split('\n');
  const [good, bad, summary] = json.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect([good, bad, summary]).toMatchObject([
    { ok: true },
    { ok: false },
    { tests: 2, failed: 1 },
  ]);
  expect([tap.exit, junit.exit]).toEqual([1, 1]);
});

test('a module exports scripts, with functions for steps', async () => {
  const code = `
    export const one = { test: 'one', session: { window: '4k' }, steps: [
      { user: 'Hello' },
      async (harness) => { if (harness.session.state.entries !== 1) throw new Error('not one'); },
    ] };
    export const more = [{ test: 'two', steps: [() => { throw new Error('no way'); }] },
      { test: 'three', steps: [{ user: 'a' }, { usr: 'b' }] }];
  `;
  const { exit, out } = await flamestack(`test ${await file('it.mjs', code)}`);
  expect(exit).toBe(4);
  expect(out).toContain('✓ one');
  expect(out).toContain('Step 1: no way');
  expect(out).toContain('Step 2: There is no step "usr"; did you mean "user"?');
});

test('a window is read as it is typed where a session takes one, and nowhere else', async () => {
  const code = `
    const ring = {};
    ring.self = ring;
    const call = { name: 'resize', arguments: { window: '8k', n: 1 } };
    const check = async ({ session }) => {
      const { toolCalls } = await session.entry('e1');
      if (toolCalls[0].arguments.window !== '8k') throw new Error('another window');
      if (session.state.budget.window !== 4096) throw new Error('another session');
    };
    export default { test: 'it', session: { window: '8k' }, steps: [
      { assistant: { calls: [call] } },
      { repeat: { times: 1, steps: [{ configure: { window: '4k' } }] } },
      check,
      { tool: { name: 'resize', text: 'done' } },
      { reopen: { window: '4k' } },
      { report: { window: '2k' } },
      { expect: { state: { budget: { window: 2048 } } } },
    ] };
    export const odd = { test: 'odd', steps: [{ expect: { state: ring } }] };
  `;
  const { exit, out } = await flamestack(`test ${await file('it.mjs', code)}`);
  expect([exit, out]).toEqual([1, expect.stringContaining('✓ it')]);
  expect(out).toContain('There is no field "self"');
});

test('a mistake in a step that is a function is told with its line', async () => {
  const path = await file(
    'it.mjs',
    "export default { test: 'it', steps: [{ user: 'Hi' },\n  (it) => it.x.y ] };\n",
  );
  const { exit, out } = await flamestack(`test ${path}`);
  expect(exit).toBe(4);
  expect(out.replace(/\s+/g, '')).toContain('Step2:Cannotreadproperties');
  expect(out.replace(/\s+/g, '')).toContain('it.mjs:2:16)');
});

test('--watch runs again when a file changes', async () => {
  const path = await file('it.yaml', 'test: first\nsteps: []\n');
  const leave = new AbortController();
  let isChanged = false;
  const { exit, out } = await flamestack(`test ${path} --watch`, {
    signal: leave.signal,
    onOut: (out) => {
      if (out.includes('second') && out.split('1 script ').length === 3) leave.abort(130);
      else if (!isChanged && out.includes('1 script')) {
        isChanged = true;
        setTimeout(() => void writeFile(path, 'test: second\nsteps: []\n'), 300);
      }
    },
  });
  expect(exit).toBe(130);
  expect(out).toContain('first');
});
