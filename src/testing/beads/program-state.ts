/** The state of a project, and the look of its issues. */
export const stateText = String.raw`
const folder = (() => {
  if (process.env.BEADS_DIR) return process.env.BEADS_DIR;
  for (let at = process.cwd(); ; at = path.dirname(at)) {
    if (fs.existsSync(path.join(at, '.beads'))) return path.join(at, '.beads');
    if (at === path.dirname(at)) return null;
  }
})();
const stateFile = () => path.join(folder, 'beads.json');
const sleep = (time) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);

/** Does one command alone with the state; what it leaves is written whole. */
function alone(work) {
  const lock = path.join(folder, 'lock');
  for (let tries = 0; ; tries += 1) {
    try { fs.mkdirSync(lock); break; } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (tries === 400) throw locked();
      if (isLeft(lock)) fs.rmSync(lock, { recursive: true, force: true });
      sleep(5);
    }
  }
  try {
    const state = readJson(stateFile(), { issues: [], dependencies: [], comments: [] });
    const before = JSON.stringify(state);
    const result = work(state);
    if (JSON.stringify(state) !== before) {
      fs.writeFileSync(stateFile() + '.new', JSON.stringify(state, null, 1));
      fs.renameSync(stateFile() + '.new', stateFile());
    }
    return result;
  } finally { fs.rmdirSync(lock); }
}

/** Whether a lock was left by a process that was killed. */
const isLeft = (lock) => Date.now() - (fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > 1_000;

const locked = () => new Refusal('DATABASE_LOCKED', 'Database is locked', { hint: 'Another process has the database open. Try again.', retryable: true });
const now = () => new Date().toISOString().replace('Z', '000000Z');

/** The issue that an id, or its end, names. */
function find(state, asked) {
  const exact = state.issues.find(({ id }) => id === asked);
  if (exact) return exact;
  const end = asked.split('-').at(-1);
  const matches = state.issues.filter(({ id }) => end !== '' && id.split('-').at(-1).startsWith(end));
  if (matches.length === 1) return matches[0];
  if (matches.length === 0)
    throw new Refusal('ISSUE_NOT_FOUND', isBd ? 'no issue found matching "' + asked + '"' : 'Issue not found: ' + asked, { hint: "Run 'br list' to see available issues.", context: { searched_id: asked, similar_ids: [] } });
  throw new Refusal('AMBIGUOUS_ID', "Ambiguous ID '" + asked + "': matches " + matches.length + ' issues', { hint: 'Provide more characters', retryable: true, context: { partial_id: asked, matches: matches.map(({ id }) => id) } });
}

const down = (state, id) => state.dependencies.filter((edge) => edge.issue_id === id);
const up = (state, id) => state.dependencies.filter((edge) => edge.depends_on_id === id);
const parentOf = (state, id) => down(state, id).find((edge) => edge.type === 'parent-child')?.depends_on_id;
const openBlockers = (state, id) => down(state, id).filter((edge) => edge.type === 'blocks').map((edge) => edge.depends_on_id).filter((other) => find(state, other).status !== 'closed');
const byPriority = (one, other) => one.priority - other.priority;

const whole = (issue) => isBd ? issue : { ...issue, ...(!isOld && { source_repo: '.' }), compaction_level: 0, original_size: 0 };
const counted = (state, issue) => ({ ...whole(issue), dependency_count: down(state, issue.id).length, dependent_count: up(state, issue.id).length,
  ...(isBd && { comment_count: state.comments.filter((comment) => comment.issue_id === issue.id).length, ...(parentOf(state, issue.id) && { parent: parentOf(state, issue.id) }) }) });
const small = ({ id, title, status, priority, updated_at }) => isBd ? null : { id, title, status, priority, updated_at };

/** An issue at the other end of a dependency, as "show" tells it. */
function linked(state, id, type) {
  const issue = find(state, id);
  const kind = isOld ? { dep_type: type } : { dependency_type: type };
  return isBd ? { ...issue, dependency_type: type } : { id, title: issue.title, status: issue.status, priority: issue.priority, ...kind };
}

const told = (name, list) => list.length > 0 ? { [name]: list } : {};

function shown(state, issue, given) {
  const { id } = issue;
  const parent = parentOf(state, id);
  const comments = state.comments.filter((comment) => comment.issue_id === id);
  const dependents = up(state, id).map((edge) => linked(state, edge.issue_id, edge.type));
  return {
    ...(isBd ? counted(state, issue) : whole(issue)),
    ...told('dependencies', down(state, id).map((edge) => linked(state, edge.depends_on_id, edge.type))),
    ...(!isBd || given['include-dependents'] ? told('dependents', dependents) : {}),
    ...(!isBd || given['include-comments'] ? told('comments', comments) : {}),
    ...(parent && { parent }),
  };
}
`;
