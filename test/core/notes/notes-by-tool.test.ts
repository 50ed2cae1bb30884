import { expect, test } from 'vitest';
import { hostNotesIn } from '../../../src/core/notes/host-notes.ts';
import type { Message, ToolCall, ToolMessage } from '../../../src/core/messages/message.ts';
import type { HostNote } from '../../../src/core/notes/host-note.ts';

const printed = (notes: readonly HostNote[]): readonly string[] =>
  notes.map(
    ({ kind, lines, changes }) => `${kind}${changes === true ? '*' : ''}: ${lines.join(' | ')}`,
  );

/** The notes of a call with its result; `null` for none. A list that is changed, not told whole, has a star. */
function notesOf(call: ToolCall, said: string | null, isError = false): readonly string[] {
  const message: Message = { role: 'assistant', content: '', toolCalls: [call] };
  const result = { role: 'tool', toolCallId: 'c', content: said ?? '', isError } as ToolMessage;
  return printed(hostNotesIn(message, () => (said === null ? undefined : result)));
}

type Row = readonly [
  name: string,
  given: object | string,
  said: string | null,
  notes: readonly string[],
];

test.each<Row>([
  ['TodoWrite', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['todo_write', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['write_todo', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['write_todos', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['mcp__x__update_plan', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['x.updatePlan', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['update_todo_list', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['manageTodoList', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['todo', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['todos', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['my_todo', { todos: ['Read'] }, 'ok', []],
  ['todos2', { todos: ['Read'] }, 'ok', []],
  ['todosx', { todos: ['Read'] }, 'ok', []],
  ['todo', { todos: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['todo', { plan: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['todo', { todoList: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['todo', { items: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['todo', { content: ['Read'] }, 'ok', ['todo: [ ] Read']],
  ['todo', { list: ['Read'] }, 'ok', []],
  [
    'todo',
    {
      todos:
        '- [ ] Read\n  2. [X] Cut\n[>] Go\n[~] Do\n* [-] No\n[/] Half\n[ ]none\n- [y] Not\nx [ ] no',
    },
    'ok',
    ['todo: [ ] Read | [x] Cut | [~] Go | [~] Do | [~] No | [~] Half'],
  ],
  ['todo', { todos: 'nothing' }, 'ok', []],
  [
    'todo',
    {
      todos: [
        null,
        5,
        {},
        { title: 'a' },
        { subject: 'b', done: true },
        { text: 'c', completed: true },
        { task: 'd', status: 'done' },
        { description: 'e', status: 'closed' },
        { step: 'f', status: 'complete' },
        { content: 'g', status: 'finished' },
        { content: 'h', status: 'In Progress' },
        { content: 'i', status: 'inprogress' },
        { content: 'j', status: 'active' },
        { content: 'k', status: 'doing' },
        { content: 'l', status: 'started' },
        { content: 'm', status: 'canceled' },
        { content: 'n', status: 'deleted' },
        { content: 'o', status: 'removed' },
        { content: 'p', status: 'skipped' },
        { content: 'q', status: 'restarted' },
        { content: 'r', status: 'doner' },
        { content: 's', done: 1 },
      ],
    },
    'ok',
    [
      'todo: [ ] a | [x] b | [x] c | [x] d | [x] e | [x] f | [x] g | [~] h | [~] i | [~] j | [~] k | [~] l | [ ] q | [ ] r | [ ] s',
    ],
  ],
  ['todo', { todos: ['a'], merge: true }, 'ok', ['todo*: [ ] a']],
  [
    'todo',
    {
      merge: true,
      todos: [
        { id: '1', content: 'a', status: 'done' },
        { id: 2 },
        { id: 'x y', content: 'b' },
        { id: '', content: '' },
      ],
    },
    'ok',
    ['todo*: [x] #1 a | [ ] #2 | [ ] b'],
  ],
  ['todo', { merge: false, todos: [{ id: '1', content: 'a' }] }, 'ok', ['todo: [ ] #1 a']],
  ['todo', { todos: [{ id: '1', content: 'a' }] }, 'ok', ['todo: [ ] a']],
  ['todo', '[ ] a', 'ok', []],
  ['todo', { todos: ['a'] }, null, ['todo: [ ] a']],
  ['TaskCreate', { subject: 'Read' }, 'Task #12 created', ['todo*: [ ] #12 Read']],
  ['TaskCreate', { subject: 'Read' }, 'made', ['todo*: [ ] Read']],
  ['TaskUpdate', { taskId: '12', status: 'in_progress' }, 'ok', ['todo*: [~] #12']],
  ['TaskUpdate', { id: '12', status: 'completed', subject: 'Cut' }, 'ok', ['todo*: [x] #12 Cut']],
  ['TaskUpdate', { id: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' }, 'ok', []],
  [
    'TaskList',
    {},
    '#1 [pending] Read\n#2: [in_progress] Cut\n  #3. [done] no\n#4 [completed] Go\r\n[x] #5 Ship\n[ ] #6: Go on',
    ['todo: [ ] #1 Read | [~] #2 Cut | [x] #4 Go | [x] #5 Ship | [ ] #6 Go on'],
  ],
  ['taskCreate', { subject: 'Read' }, '#1', []],
  ['todo', { action: 'list' }, '[ ] #1: Read', ['todo: [ ] #1 Read']],
  ['todo', { action: 'clear' }, 'ok', ['todo: ']],
  ['todo', { action: 'add', text: 'Read' }, 'Added #7', ['todo*: [ ] #7 Read']],
  ['todo', { action: 'toggle', id: 7 }, 'Todo #7 completed', ['todo*: [x] #7']],
  ['todo', { action: 'toggle', id: 7 }, 'Todo #7 uncompleted', ['todo*: [ ] #7']],
  ['todo', { action: 'toggle', id: 7 }, 'none', []],
  ['todo', { action: 'drop', id: 7 }, 'Todo #7 completed', []],
])('a list of %s with %j', (...[name, given, said, notes]) => {
  expect(notesOf({ name, arguments: given as string }, said)).toEqual(notes);
});

test.each<Row>([
  [
    'AskUserQuestion',
    { question: 'Which?' },
    'this',
    ['choice: asked “Which?”; the person chose “this”'],
  ],
  ['ask_user', { question: 'Which?' }, 'this', ['choice: asked “Which?”; the person chose “this”']],
  [
    'ask_followup_question',
    { question: 'Which?' },
    'this',
    ['choice: asked “Which?”; the person chose “this”'],
  ],
  [
    'askFollowUpQuestions',
    { question: 'Which?' },
    'this',
    ['choice: asked “Which?”; the person chose “this”'],
  ],
  [
    'ask_question',
    { questions: ['Which?'] },
    'this',
    ['choice: asked “Which?”; the person chose “this”'],
  ],
  [
    'ask_human',
    { question: 'Which?' },
    'this',
    ['choice: asked “Which?”; the person chose “this”'],
  ],
  [
    'request_user_input',
    { question: 'Which?' },
    'this',
    ['choice: asked “Which?”; the person chose “this”'],
  ],
  [
    'mcp__a__ask_user',
    { question: 'Which?' },
    'this',
    ['choice: asked “Which?”; the person chose “this”'],
  ],
  ['questions', { question: 'Which?' }, 'this', []],
  ['ask_question', { question: 'Which?' }, 'this', []],
  ['mcp__wiki__ask_question', { questions: ['Which?'] }, 'this', []],
  ['ask', { question: 'Which?' }, 'this', []],
  ['question', { questions: ['Which?'] }, 'The user rejected it', []],
  ['question', { questions: ['Which?'] }, 'User declined', []],
  ['question', { questions: ['Which?'] }, 'tool use was rejected', []],
  ['question', { questions: ['Which?'] }, 'was cancelled', []],
  ['question', { questions: ['Which?'] }, 'Canceled', []],
  ['question', { questions: ['Which?'] }, 'dismissed', []],
  ['question', { questions: ['Which?'] }, '(skipped)', []],
  ['question', { questions: ['Which?'] }, 'user doesn’t want to', []],
  ['question', { questions: ['Which?'] }, 'user did not answer', []],
  ['question', { questions: ['Which?'] }, 'No answer', []],
  [
    'question',
    { questions: ['Which?'] },
    'it was rejected',
    ['choice: asked “Which?”; the person chose “it was rejected”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    'refusedly said',
    ['choice: asked “Which?”; the person chose “refusedly said”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    'The user chose: b',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    'User has answered your questions: b',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    'user’s response: b',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    'Users reply: b',
    ['choice: asked “Which?”; the person chose “Users reply: b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    'user responded b',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    'User replied b',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    'user selected b',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    "the user's answer: b",
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '<answer>b</answer> c',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    'x <answer>b',
    ['choice: asked “Which?”; the person chose “x <answer>b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '</answer><answer>b</answer>',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '"Which?"="b", and',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '"Which?"="b"c"',
    ['choice: asked “Which?”; the person chose “b"c”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '"Which?"="a"="b".',
    ['choice: asked “Which?”; the person chose “a"="b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '{"answers":{"Which?":"b"}}',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '{"Which?":["b","c"]}',
    ['choice: asked “Which?”; the person chose “b, c”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '{"q1":"b"}',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '{"answers":{"other":{"a":["b",""]}}}',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '{"answers":null}',
    ['choice: asked “Which?”; the person chose “{"answers":null}”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '"b"',
    ['choice: asked “Which?”; the person chose “"b"”'],
  ],
  [
    'question',
    { questions: ['Which?'] },
    '  b  ',
    ['choice: asked “Which?”; the person chose “b”'],
  ],
  [
    'question',
    {
      questions: [
        { id: 'q1', prompt: 'One?' },
        { message: 'Two?' },
        'Three?',
        { text: 'Four?' },
        { id: 5 },
      ],
    },
    '{"answers":{"q1":"a","Two?":"b","Three?":{"x":{"y":{"z":"c"}}},"Four?":"“d”"}}',
    [
      'choice: asked “One?”; the person chose “a” | asked “Two?”; the person chose “b” | asked “Three?”; the person chose “c” | asked “Four?”; the person chose “"d"”',
    ],
  ],
  ['question', { questions: ['One?', 'Two?'] }, 'this', []],
  ['question', 'One?', 'this', []],
  ['question', { questions: ['Which?'] }, null, []],
  [
    'question',
    {
      questions: [
        'WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW?',
      ],
    },
    'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
    [
      'choice: asked “WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW…”; the person chose “bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…”',
    ],
  ],
])('what a person is asked by %s with %j', (...[name, given, said, notes]) => {
  expect(notesOf({ name, arguments: given as string }, said)).toEqual(notes);
});

test.each<Row>([
  ['bash', { command: 'git commit -m "Cut it"' }, '[main 1a2b3c4] x', ['commit: Cut it']],
  ['bash', { command: 'git commit -am "Cut it"' }, '[main 1a2b3c4] x', ['commit: Cut it']],
  ['bash', { command: 'git commit --message="Cut it"' }, '[main 1a2b3c4] x', ['commit: Cut it']],
  ['bash', { command: 'git commit --message "Cut it"' }, '[main 1a2b3c4] x', ['commit: Cut it']],
  ['bash', { command: 'git commit -m"Cut it"' }, '[main 1a2b3c4] x', ['commit: Cut it']],
  [
    'bash',
    { command: 'git commit -m "Cut it" -m "Because.\nOf it"' },
    '[main 1a2b3c4] x',
    ['commit: Cut it | Because. | Of it'],
  ],
  [
    'bash',
    { command: 'FOO=1 git -C /w -c a=b --no-pager commit -m "Cut it"' },
    '[main 1a2b3c4] x',
    ['commit: Cut it'],
  ],
  [
    'bash',
    { command: 'git --git-dir /w commit -m "Cut it"' },
    '[main 1a2b3c4] x',
    ['commit: Cut it'],
  ],
  ['bash', { command: 'git log --grep commit' }, '[main 1a2b3c4] x', []],
  ['bash', { command: 'git commit --amend --no-edit' }, '[main 1a2b3c4] x', []],
  ['bash', { command: 'git commit -m ""' }, '[main 1a2b3c4] x', []],
  ['bash', { command: 'git commit -m "$MSG"' }, '[main 1a2b3c4] x', []],
  [
    'bash',
    {
      command:
        'git commit -m "Cut it\n\nCo-Authored-By: Ada <a@b.c>\nSigned-off-by: x\n🤖 Generated with [Claude Code](x)\nGenerated with Codex\nThis was generated with [x"',
    },
    '[main 1a2b3c4] x',
    ['commit: Cut it | This was generated with [x'],
  ],
  [
    'bash',
    { command: "git commit -F - <<'EOF'\nCut it\n\nBecause\nEOF" },
    '[main 1a2b3c4] x',
    ['commit: Cut it | Because'],
  ],
  [
    'bash',
    { command: "git commit --file=- <<'EOF'\nCut it\nEOF" },
    '[main 1a2b3c4] x',
    ['commit: Cut it'],
  ],
  ['bash', { command: 'git commit --file notes.md' }, '[main 1a2b3c4] x', []],
  ['bash', { command: 'echo "Cut it" | git commit -F -' }, '[main 1a2b3c4] x', []],
  ['bash', { command: 'gitx commit -m "Cut it"' }, '[main 1a2b3c4] x', []],
  [
    'bash',
    { command: 'git add . && git commit -m "Cut it" && git push' },
    '[main 1a2b3c4] x',
    ['commit: Cut it', 'step: pushed'],
  ],
  ['bash', { command: 'git commit -m "Cut it"' }, 'nothing to commit, working tree clean', []],
  [
    'bash',
    { command: 'git commit -m "Cut it"' },
    'On branch main\nUntracked files:\n  x\nnothing added to commit',
    [],
  ],
  ['bash', { command: 'git commit -m "Cut it"' }, 'fatal: no', []],
  ['bash', { command: 'git commit -m "Cut it"' }, 'husky: failed', []],
  ['bash', { command: 'git commit -m "Cut it"' }, 'it was fatal: no', ['commit: Cut it']],
  ['bash', { command: 'git commit -m "Cut it"' }, 'exit code 1', []],
  ['bash', { command: 'git commit -m "Cut it"' }, 'exited with code: 2', []],
  ['bash', { command: 'git commit -m "Cut it"' }, '"exit_code": 0', ['commit: Cut it']],
  ['bash', { command: 'git commit -m "Cut it"' }, '"exit_code":1', []],
  [
    'bash',
    { command: 'git commit -m "Cut it"' },
    '[main 1a2b3c4] Cut it\nerror: no',
    ['commit: Cut it (1a2b3c4)'],
  ],
  ['bash', { command: 'git commit -m "Cut it"' }, null, []],
  ['bash', { command: 'git commit -m "Cut it"' }, 'ok', ['commit: Cut it']],
  [
    'bash',
    { command: 'gh pr create --title "Cut it" --body "Because"' },
    'https://github.com/a/b/pull/12',
    ['pull request: Cut it | https://github.com/a/b/pull/12 | Because'],
  ],
  [
    'bash',
    { command: 'gh pr create -t "Cut it" -b "Because"' },
    'made',
    ['pull request: Cut it | Because'],
  ],
  [
    'bash',
    { command: 'gh pr create --title="Cut it" --body="Because"' },
    'https://gitlab.x/a/b/-/merge_requests/3.',
    ['pull request: Cut it | https://gitlab.x/a/b/-/merge_requests/3 | Because'],
  ],
  [
    'bash',
    { command: "gh pr create --title 'Cut it' --body-file - <<'EOF'\nBecause\nEOF" },
    'ok',
    ['pull request: Cut it | Because'],
  ],
  ['bash', { command: 'gh -R a/b pr create -t "Cut it"' }, 'ok', ['pull request: Cut it']],
  ['bash', { command: 'gh pr create --fill' }, 'ok', []],
  ['bash', { command: 'gh pr create -t "Cut it"' }, 'error: no', []],
  ['bash', { command: 'gh pr view -t "Cut it"' }, 'ok', []],
  [
    'bash',
    { command: 'gh pr create -t "Cut it" -F body.md -b "B"' },
    'ok',
    ['pull request: Cut it | B'],
  ],
  [
    'github_create_pull_request',
    { title: 'Cut it', body: 'Because' },
    '{"url":"https://github.com/a/b/pull/9"}',
    ['pull request: Cut it | https://github.com/a/b/pull/9 | Because'],
  ],
  ['create_pull_request', { title: 'Cut it', body: 5 }, 'ok', ['pull request: Cut it']],
  ['create_pull_request', { title: '' }, 'ok', []],
  ['create_pull_request', { body: 'x' }, 'ok', []],
  ['create_pull_request', 'Cut it', 'ok', []],
  ['create_pull_requests', { title: 'Cut it' }, 'ok', []],
  ['create_pull_request', { title: 'Cut it' }, null, []],
])('what %s makes with %j', (...[name, given, said, notes]) => {
  expect(notesOf({ name, arguments: given as string }, said)).toEqual(notes);
});

test.each<Row>([
  [
    'ExitPlanMode',
    { plan: '# One\ntext\n- two\n3. three\n4) four\n12345. no' },
    'ok',
    ['plan: # One | text | - two | 3. three | 4) four | 12345. no'],
  ],
  [
    'exit_plan_mode',
    { plan: '# One\ntext\n- two\n3. three\n4) four\n12345. no' },
    'ok',
    ['plan: # One | text | - two | 3. three | 4) four | 12345. no'],
  ],
  [
    'create_plan',
    { plan: '# One\ntext\n- two\n3. three\n4) four\n12345. no' },
    'ok',
    ['plan: # One | text | - two | 3. three | 4) four | 12345. no'],
  ],
  [
    'createplan',
    { plan: '# One\ntext\n- two\n3. three\n4) four\n12345. no' },
    'ok',
    ['plan: # One | text | - two | 3. three | 4) four | 12345. no'],
  ],
  ['replan_exit_plan_mode', { plan: '# One\ntext\n- two\n3. three\n4) four\n12345. no' }, 'ok', []],
  ['exit_plan_modes', { plan: '# One\ntext\n- two\n3. three\n4) four\n12345. no' }, 'ok', []],
  ['ExitPlanMode', {}, "The user doesn't want it", []],
  ['ExitPlanMode', {}, 'rejected', []],
  ['ExitPlanMode', {}, 'It was not approved', []],
  ['ExitPlanMode', {}, 'cancelled', []],
  ['ExitPlanMode', {}, 'canceled', []],
  ['ExitPlanMode', {}, 'denied', []],
  [
    'ExitPlanMode',
    {},
    'User approved.\n## Approved Plan (edited)\n- five\n- six',
    ['plan: - five | - six'],
  ],
  ['ExitPlanMode', {}, '#### Approved Plan\n- five', []],
  [
    'ExitPlanMode',
    {},
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx rejected',
    [],
  ],
  ['ExitPlanMode', { plan: 'just text' }, 'ok', ['plan: just text']],
  ['ExitPlanMode', 'x', 'ok', []],
  ['Task', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['agent', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['subagent', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['dispatch_agent', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['invoke_agent', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['run_subagent', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['runsub_agent', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['new_task', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['delegate', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['delegate_to_agent', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['delegate_task', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['mcp__x__task', { description: 'Look' }, 'It is so.', ['report: Look | It is so.']],
  ['tasks', { description: 'Look' }, 'It is so.', []],
  ['subtask', { description: 'Look' }, 'It is so.', []],
  ['Task', { prompt: '\n Look\nmore' }, '{"agent_id":"x"}', []],
  ['Task', { prompt: '\n Look\nmore' }, '{ "agent_id": "x"}', []],
  ['Task', { prompt: '\n Look\nmore' }, 'Async agent launched', []],
  ['Task', { prompt: '\n Look\nmore' }, 'Background task started', []],
  [
    'Task',
    { prompt: '\n Look\nmore' },
    'Sub-agents have been spawned',
    ['report: Look | Sub-agents have been spawned'],
  ],
  ['Task', { prompt: '\n Look\nmore' }, 'subagent was started', []],
  ['Task', { prompt: '\n Look\nmore' }, 'agent has been launched: x', []],
  [
    'Task',
    { prompt: '\n Look\nmore' },
    'The agent launched',
    ['report: Look | The agent launched'],
  ],
  ['Task', { prompt: '\n Look\nmore' }, 'It is.\nagentId: 5', ['report: Look | It is.']],
  ['Task', { prompt: '\n Look\nmore' }, 'It is.\n  <usage>x', ['report: Look | It is.']],
  ['Task', { prompt: '\n Look\nmore' }, 'It is.\n<task_metadata>', ['report: Look | It is.']],
  ['Task', { prompt: '\n Look\nmore' }, 'It is.\n<total_tokens>', ['report: Look | It is.']],
  [
    'Task',
    { prompt: '\n Look\nmore' },
    'x <task_result>It is.</task_result> y',
    ['report: Look | It is.'],
  ],
  ['Task', { prompt: '\n Look\nmore' }, 'agentId: 5', ['report: Look | agentId: 5']],
  ['Task', { prompt: '\n Look\nmore' }, '---', []],
  ['Task', { description: 'Look' }, 'It is.', ['report: Look | It is.']],
  ['Task', { title: 'Look' }, 'It is.', ['report: Look | It is.']],
  ['Task', { task: 'Look' }, 'It is.', ['report: Look | It is.']],
  ['Task', { input: 'Look' }, 'It is.', ['report: Look | It is.']],
  ['Task', { prompt: 'Look' }, 'It is.', ['report: Look | It is.']],
  ['Task', { message: 'Look' }, 'It is.', ['report: Look | It is.']],
  ['Task', { other: 'Look' }, 'It is.', ['report: It is.']],
  ['Task', 'Look', 'It is.', ['report: Look | It is.']],
  ['Task', { task: 'Look' }, null, []],
  [
    'wait',
    {},
    '{"status":{"a":{"completed":"It is."},"b":{"running":"x"},"c":{"completed":"So."}}}',
    ['report: It is. | So.'],
  ],
  ['wait_agent', {}, '{"status":{"a":{"completed":"It is."}}}', ['report: It is.']],
  ['wait', {}, '{"status":[]}', []],
  ['x.wait', {}, 'no', []],
  ['await', {}, '{"status":{"a":{"completed":"It is."}}}', []],
])('a plan or a report of %s with %j', (...[name, given, said, notes]) => {
  expect(notesOf({ name, arguments: given as string }, said)).toEqual(notes);
});

test.each<Row>([
  ['todo', { todos: ['a'] }, 'ok', []],
  ['question', { question: 'Which?' }, 'this', []],
  [
    'bash',
    { command: 'git commit -m "Cut it"' },
    '[main 1a2b3c4] Cut it',
    ['commit: Cut it (1a2b3c4)'],
  ],
  ['bash', { command: 'git commit -m "Cut it"' }, '[main 1a2b3c4] Cut', []],
  ['bash', { command: 'gh pr create -t "Cut it"' }, 'ok', []],
  ['create_pull_request', { title: 'Cut it' }, 'no', []],
  ['ExitPlanMode', { plan: '- a' }, 'ok', []],
  ['Task', { task: 'Look' }, 'It is.', []],
])('where it failed, of %s with %j', (...[name, given, said, notes]) => {
  expect(notesOf({ name, arguments: given as string }, said, true)).toEqual(notes);
});

test.each<readonly [text: string, notes: readonly string[]]>([
  [
    '<task-notification><summary>Done</summary><result>It is.</result></task-notification><task-notification><result>So.</result>',
    ['report: Done | It is.', 'report: So.'],
  ],
  ['  <subagent_notification><result>It is.</result>', ['report: It is.']],
  ['<task-notification>no', []],
  ['x <task-notification><result>It is.</result>', []],
  ['<task-notification><result>It is.', []],
])('reports of the background in %j', (content, notes) => {
  const message: Message = { role: 'user', content, origin: 'machine' };
  expect(printed(hostNotesIn(message, () => undefined))).toEqual(notes);
});
