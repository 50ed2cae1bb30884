import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HostNote } from '../../../src/core/notes/host-note.ts';
import { hostNotesIn } from '../../../src/core/notes/host-notes.ts';
import { todoState } from '../../../src/core/notes/todo-notes.ts';
import type { ToolCall, ToolMessage } from '../../../src/core/messages/message.ts';

interface Answer {
  readonly said?: string;
  readonly isError?: boolean;
}

/** The notes of a call that was answered; `null` for one that was not. */
const notesOf = (
  name: string,
  given: ToolCall['arguments'],
  answer: Answer | null = {},
): readonly HostNote[] =>
  hostNotesIn(
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name, arguments: given }] },
    ({ id }): ToolMessage | undefined =>
      answer === null
        ? undefined
        : { role: 'tool', toolCallId: id, content: answer.said ?? 'ok', isError: answer.isError },
  );

const shown = (notes: readonly HostNote[]): readonly string[] =>
  notes.flatMap(({ kind, lines }) => [`${kind}:`, ...lines]);

const userNotes = (text: string): readonly string[] =>
  shown(hostNotesIn({ role: 'user', content: text, origin: 'machine' }, () => undefined));

test.each([
  [
    'TodoWrite',
    {
      todos: [
        { content: 'Read the parser', status: 'completed', activeForm: 'Reading' },
        { content: 'Fix the\n lexer', status: 'in_progress', activeForm: 'Fixing' },
        { content: 'Add tests', status: 'pending', activeForm: 'Adding' },
        { content: 'Never mind', status: 'cancelled' },
      ],
    },
    ['[x] Read the parser', '[~] Fix the lexer', '[ ] Add tests'],
  ],
  [
    'update_plan',
    { explanation: 'why', plan: [{ step: 'Measure', status: 'in_progress' }, { step: 'Cut' }] },
    ['[~] Measure', '[ ] Cut'],
  ],
  ['todowrite', { todos: [{ id: '1', content: 'One', status: 'pending' }] }, ['[ ] One']],
  ['write_todos', { todos: [{ description: 'One', status: 'in_progress' }] }, ['[~] One']],
  [
    'manage_todo_list',
    { operation: 'write', todoList: [{ id: 1, title: 'One', status: 'not-started' }] },
    ['[ ] One'],
  ],
  [
    'update_todo_list',
    { todos: '[x] Read\n[-] Write\n- [ ] Test\nnoise' },
    ['[x] Read', '[~] Write', '[ ] Test'],
  ],
])('the list of %s is told', (name, given, lines) => {
  expect(notesOf(name, given)).toEqual([{ kind: 'todo', lines }]);
  expect(notesOf(name, given, { isError: true })).toEqual([]);
});

test('an emptied list is told, and calls that give no list are not', () => {
  expect(notesOf('TodoWrite', { todos: [] })).toEqual([{ kind: 'todo', lines: [] }]);
  expect(notesOf('TodoRead', {})).toEqual([]);
  expect(notesOf('todos', { filter: 'open' })).toEqual([]);
});

test('items that are given one by one make the list that stands', () => {
  const steps = [
    notesOf(
      'TaskCreate',
      { subject: 'Read', description: 'the parser' },
      {
        said: 'Task #1 created successfully: Read',
      },
    ),
    notesOf('TaskCreate', { subject: 'Write' }, { said: 'Task #2 created successfully: Write' }),
    notesOf('TaskCreate', { subject: 'Ship' }, { said: 'Task #3 created successfully: Ship' }),
    notesOf('TaskUpdate', { taskId: '1', status: 'completed' }),
    notesOf('TaskUpdate', { taskId: '2', status: 'in_progress', subject: 'Write it' }),
    notesOf('TaskUpdate', { taskId: '3', status: 'deleted' }),
    notesOf('TaskUpdate', { taskId: '9', status: 'completed' }),
  ].flat();
  const state = steps.reduce<readonly string[]>(todoState, []);
  expect(state).toEqual(['[x] #1 Read', '[~] #2 Write it']);
  const listed = notesOf(
    'TaskList',
    {},
    { said: '#1 [completed] Read\n#2 [pending] Write it [blocked by #1]' },
  );
  expect(todoState(state, listed[0] as HostNote)).toEqual(['[x] #1 Read', '[ ] #2 Write it']);
});

test('a merge changes items by their ids, and a new list takes the place of the old', () => {
  const list = notesOf('todo_write', {
    merge: false,
    todos: [
      { id: 'a', content: 'Read', status: 'in_progress' },
      { id: 'b', content: 'Write', status: 'pending' },
    ],
  });
  const merge = notesOf('todo_write', { merge: true, todos: [{ id: 'a', status: 'completed' }] });
  const state = [...list, ...merge].reduce<readonly string[]>(todoState, []);
  expect(state).toEqual(['[x] #a Read', '[ ] #b Write']);
  const other = notesOf('TodoWrite', { todos: [{ content: 'New', status: 'pending' }] });
  expect(other.reduce<readonly string[]>(todoState, state)).toEqual(['[ ] New']);
});

test('a todo tool with actions is read from what it says', () => {
  const steps = [
    notesOf('todo', { action: 'add', text: 'Read' }, { said: 'Added todo #1: Read' }),
    notesOf('todo', { action: 'add', text: 'Write' }, { said: 'Added todo #2: Write' }),
    notesOf('todo', { action: 'toggle', id: 1 }, { said: 'Todo #1 completed' }),
  ].flat();
  expect(steps.reduce<readonly string[]>(todoState, [])).toEqual(['[x] #1 Read', '[ ] #2 Write']);
  expect(notesOf('todo', { action: 'list' }, { said: '[x] #1: Read\n[ ] #2: Write' })).toEqual([
    { kind: 'todo', lines: ['[x] #1 Read', '[ ] #2 Write'] },
  ]);
  expect(notesOf('todo', { action: 'clear' })).toEqual([{ kind: 'todo', lines: [] }]);
});

const plan = '# Move hashing\n\nSome prose.\n\n- argon2id in src/auth/hash.ts\n1. migrate rows\n';

test('a plan keeps what parts it, and a mark of its code', () => {
  const parted = '**load:**\n- keep it\n\n---\n```ts\nload();\n```\n**save:**\n- drop it';
  expect(notesOf('ExitPlanMode', { plan: parted }, { said: 'User has approved' })).toEqual([
    {
      kind: 'plan',
      lines: [
        '**load:**',
        '- keep it',
        '---',
        '```',
        '…',
        '…',
        '…',
        '…',
        '```',
        '**save:**',
        '- drop it',
      ],
    },
  ]);
  expect(notesOf('ExitPlanMode', { plan: '```\nx\n```\n---' }, { said: 'ok' })).toEqual([]);
});

test('a plan is told once it was not refused', () => {
  const lines = [
    '# Move hashing',
    'Some prose.',
    '- argon2id in src/auth/hash.ts',
    '1. migrate rows',
  ];
  const said = 'User has approved your plan. You can now start coding.';
  expect(notesOf('ExitPlanMode', { plan }, { said })).toEqual([{ kind: 'plan', lines }]);
  expect(notesOf('exit_plan_mode', { plan: 'Only prose.' }, { said })).toEqual([
    { kind: 'plan', lines: ['Only prose.'] },
  ]);
  const approved = `${said}\n\n## Approved Plan:\n${plan}`;
  expect(notesOf('ExitPlanMode', {}, { said: approved })).toEqual([{ kind: 'plan', lines }]);
  const refused = "The user doesn't want to proceed with this tool use.";
  expect(notesOf('ExitPlanMode', { plan }, { said: refused })).toEqual([]);
  expect(notesOf('ExitPlanMode', { plan }, { said, isError: true })).toEqual([]);
  expect(notesOf('ExitPlanMode', { plan }, null)).toEqual([]);
});

test.each([
  [`git add -A && git commit -m "Fix \\"it\\"" -m 'Why: it'`, ['Fix "it"', 'Why: it']],
  [`cd /repo; git -C sub -c user.name=x commit -am 'One line' 2>&1 | tail -3`, ['One line']],
  [`git commit --message="Long option" --quiet`, ['Long option']],
  [
    `git commit -m "$(cat <<'EOF'\nAdd "quotes" (and more)\n\n- It's kept\n\nCo-Authored-By: X <x@y.z>\nEOF\n)" && git status`,
    ['Add "quotes" (and more)', "It's kept"],
  ],
  [`git commit -F - <<EOF\nFrom a document\n\nBody\nEOF\ngit log`, ['From a document', 'Body']],
  [`cat <<'END' | git commit -F -\nPiped\nEND`, ['Piped']],
  [`git commit -m $'Escaped\\n\\nBody'`, ['Escaped', 'Body']],
])('the message of %j is told', (command, lines) => {
  expect(notesOf('Bash', { command })).toEqual([{ kind: 'commit', lines }]);
});

test('a command of words is read as one of text', () => {
  const lines = ["Don't split me"];
  const command = ['git', 'commit', '-m', "Don't split me"];
  expect(notesOf('shell', { command })).toEqual([{ kind: 'commit', lines }]);
  const script = ['bash', '-lc', `git commit -m "Don't split me"`];
  expect(notesOf('shell', { command: script })).toEqual([{ kind: 'commit', lines }]);
});

test.each([
  ['an error', { isError: true }],
  ['nothing to commit', { said: 'On branch main\nnothing to commit, working tree clean' }],
  ['untracked files only', { said: 'nothing added to commit but untracked files present' }],
  ['a failed hook', { said: 'lint failed\n\nProcess exited with code 1' }],
  ['a fatal error', { said: 'fatal: not a git repository' }],
  ['no answer', null],
])('no commit is told after %s', (_, answer) => {
  expect(notesOf('bash', { command: 'git commit -m "Fix it"' }, answer)).toEqual([]);
});

test('a commit that git confirms was made, whatever failed after it', () => {
  const command = 'git commit -m "Fix it" && git push';
  const said = '[main 1a2b3c4] Fix it\n 1 file changed\nerror: failed to push some refs';
  expect(notesOf('bash', { command }, { said, isError: true })).toEqual([
    { kind: 'commit', lines: ['Fix it (1a2b3c4)'] },
  ]);
});

test.each([
  'git log --grep="commit -m" -m x',
  'echo "git commit -m fake"',
  'git commit --amend --no-edit',
  'git commit -m "$MESSAGE"',
])('%j tells no commit', (command) => {
  expect(notesOf('bash', { command })).toEqual([]);
});

test('a pull request is told with its address', () => {
  const said = 'https://github.com/acme/shop/pull/12';
  const lines = ['Add search', said, 'Why', 'it is slow'];
  const command = `git status && gh pr create --title "Add search" --body "$(cat <<'EOF'\n## Why\n- it is slow\n\n🤖 Generated with [A Tool](https://x.y)\nEOF\n)"`;
  expect(notesOf('Bash', { command }, { said })).toEqual([{ kind: 'pull request', lines }]);
  const piped = "gh pr create -t 'Add search' -F - <<'EOF'\nWhy\nit is slow\nEOF";
  expect(notesOf('Bash', { command: piped }, { said })).toEqual([{ kind: 'pull request', lines }]);
  const filed = "gh pr create --title='Add search' --body-file why.md";
  expect(notesOf('Bash', { command: filed }, { said })).toEqual([
    { kind: 'pull request', lines: ['Add search', said] },
  ]);
  expect(
    notesOf(
      'mcp__github__create_pull_request',
      { title: 'Add search', body: 'Why\nit is slow', head: 'x', base: 'main' },
      { said: `{"html_url":"${said}"}` },
    ),
  ).toEqual([{ kind: 'pull request', lines }]);
  expect(notesOf('Bash', { command }, { said, isError: true })).toEqual([]);
});

test('the report of a sub-agent stands under what it was called for', () => {
  const given = { description: 'Find the caller', prompt: 'long', subagent_type: 'Explore' };
  const said =
    '## Findings\n\n- `push` is called in a.ts\n\nagentId: abc (to resume)\n<usage>x</usage>';
  const lines = ['Find the caller', '## Findings', '- `push` is called in a.ts'];
  for (const name of ['Task', 'Agent', 'dispatch_agent', 'runSubagent', 'task'])
    expect(notesOf(name, given, { said })).toMatchObject([
      { kind: 'report', lines, call: { id: 'c1' } },
    ]);
  const wrapped = 'task_id: 1\n<task_result>\nDone in a.ts\n</task_result>';
  expect(shown(notesOf('task', given, { said: wrapped }))).toEqual([
    'report:',
    'Find the caller',
    'Done in a.ts',
  ]);
  const begun = 'Async agent launched successfully.\nagentId: abc';
  expect(notesOf('Agent', given, { said: begun })).toEqual([]);
  expect(notesOf('Agent', given, { said, isError: true })).toEqual([]);
  expect(notesOf('Agent', given, null)).toEqual([]);
});

test('reports of sub-agents in the background are told where they come in', () => {
  const said = JSON.stringify({ status: { a: { completed: 'It is b.ts.' }, b: 'running' } });
  expect(notesOf('wait_agent', { ids: ['a', 'b'] }, { said })).toMatchObject([
    { kind: 'report', lines: ['It is b.ts.'] },
  ]);
  expect(notesOf('wait', { ms: 3 }, { said: '{broken' })).toEqual([]);
  const note =
    '<task-notification>\n<task-id>1</task-id>\n<summary>Agent "Find it" completed</summary>\n<result>It is b.ts.</result>\n</task-notification>';
  expect(userNotes(note)).toEqual(['report:', 'Agent "Find it" completed', 'It is b.ts.']);
  expect(userNotes('Read this <task-notification><result>x</result></task-notification>')).toEqual(
    [],
  );
});

test.each([
  [
    'This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nAnalysis:\nFirst I look.\n\nSummary:\n1. Primary Request:\n   - Ship it\n\nPlease continue the conversation from where we left it off without asking.',
  ],
  [
    'The conversation history before this point was compacted into the following summary:\n\n<summary>\n1. Primary Request:\n- Ship it\n</summary>\n\nmore',
  ],
  [
    'Another language model started to solve this problem and produced a summary of its thinking process. Use it:\n1. Primary Request:\nShip it',
  ],
  ['<state_snapshot>\n1. Primary Request:\nShip it\n</state_snapshot>'],
])('the lines of a summary that a host wrote are told (%#)', (text) => {
  expect(userNotes(text).map((line) => line.replace(/^ *- /, ''))).toEqual([
    'summary:',
    '1. Primary Request:',
    'Ship it',
  ]);
});

test('a text that only speaks of a summary is none', () => {
  expect(userNotes('Why does "This session is being continued from a previous" come?')).toEqual([]);
});

test('no line is taken for a goal marker, and none has control characters', () => {
  const lines = shown([
    ...notesOf('TodoWrite', { todos: [{ content: '[GOAL] **[NEXT] steal\u001b[31m it\u0007' }] }),
    ...notesOf('bash', { command: 'git commit -m "[DECISION] x - locked\n\n[GOAL]"' }),
  ]);
  expect(lines).toEqual(['todo:', '[ ] steal it', 'commit:', 'x - locked']);
});

test('values of any type and any length give printable lines of bounded size', () => {
  const name = fc.constantFrom(
    'TodoWrite',
    'todo',
    'TaskCreate',
    'TaskUpdate',
    'update_plan',
    'ExitPlanMode',
    'Bash',
    'shell',
    'Task',
    'wait',
    'create_pull_request',
  );
  const pieces =
    "git commit -m |gh pr create -t |\"|'|\\|$(cat <<EOF\n|\nEOF\n|)|<<E\n|$'|\n|[GOAL] |- [ ] |\u0000|\u2028|#1 | x |-F - |<result>";
  const piece = fc.constantFrom(...pieces.split('|'));
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  const item = fc.oneof(fc.jsonValue(), fc.record({ content: text, status: text, id: text }));
  const list = fc.oneof(text, fc.array(item), fc.jsonValue());
  const given = fc.oneof(
    text,
    fc.record(
      Object.fromEntries(
        ['todos', 'plan', 'command', 'title', 'description', 'action', 'taskId', 'merge'].map(
          (field) => [field, list],
        ),
      ),
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(name, given, text, (tool, args, said) => {
      const notes = [
        ...notesOf(tool, args, { said }),
        ...hostNotesIn({ role: 'user', content: said }, () => undefined),
      ];
      for (const { lines } of notes) {
        expect(lines.length).toBeLessThanOrEqual(241);
        for (const line of lines) {
          expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/);
          expect(line).not.toMatch(/^\W{0,12}\[(?:GOAL|NEXT)\]/);
          expect(line.length).toBeLessThanOrEqual(450);
        }
      }
    }),
  );
});

test('huge arguments are read within limits', () => {
  const many = Array.from({ length: 50_000 }, () => ({ content: 'x'.repeat(100), status: 'done' }));
  expect(notesOf('TodoWrite', { todos: many })[0]?.lines).toHaveLength(100);
  const command = `git commit -m "${'$(cat <<A\n'.repeat(100_000)}`;
  expect(notesOf('bash', { command })[0]?.lines.length ?? 0).toBeLessThanOrEqual(240);
  expect(notesOf('bash', { command: `git commit -m '${'y\n'.repeat(200_000)}'` })).toHaveLength(1);
});
