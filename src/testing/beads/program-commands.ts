/** What each command does. */
export const commandsText = String.raw`
const limited = (list, limit) => (limit > 0 ? list.slice(0, limit) : list);
const statuses = ['open', 'in_progress', 'blocked', 'deferred', 'closed'];

const commands = {
  info: (state) => ({
    database_path: path.join(folder, 'beads.db'),
    ...(!isBd && { beads_dir: folder }),
    mode: 'direct',
    ...(!isBd && { daemon_connected: false, daemon_fallback_reason: 'no-daemon', daemon_detail: 'br runs in direct mode only' }),
    issue_count: state.issues.length,
    ...((isBd || isOld) && { config: { issue_prefix: settings.prefix } }),
    ...(!isBd && { db_size: 4096, jsonl_path: path.join(folder, 'issues.jsonl'), jsonl_size: 0 }),
  }),

  version: () => ({ version: settings.version + '.0', build: 'release', commit: 'scripted', branch: 'main' }),

  list(state, given) {
    const all = state.issues.filter(({ status }) => given.status ? status === given.status : given.all || status !== 'closed').toSorted(byPriority);
    const limit = Number(given.limit ?? (isOld || isBd ? 50 : 0));
    const rows = limited(all, limit).map((issue) => counted(state, issue));
    return isOld || isBd ? rows : { issues: rows, total: all.length, limit, offset: 0, has_more: rows.length < all.length };
  },

  ready(state, given) {
    const ready = state.issues.filter(({ id, status }) => status === 'open' && openBlockers(state, id).length === 0).toSorted(byPriority);
    const rows = limited(ready, Number(given.limit ?? (isBd ? 100 : isOld ? 20 : 0)));
    return isBd ? rows.map((issue) => counted(state, issue)) : rows.map(({ labels, assignee, ...issue }) => issue);
  },

  show(state, given, ids) {
    if (!isBd) return ids.map((id) => shown(state, find(state, id), given));
    const found = ids.flatMap((id) => {
      try { return [find(state, id)]; } catch (error) { process.stderr.write('Error fetching ' + id + ': ' + error.message + '\n'); return []; }
    });
    if (found.length === 0) throw new Refusal('ISSUE_NOT_FOUND', 'no issues found matching the provided IDs');
    return found.map((issue) => shown(state, issue, given));
  },

  'dep list'(state, given, [asked]) {
    const { id } = find(state, asked);
    const direction = given.direction ?? 'down';
    if (!['down', 'up', 'both'].includes(direction)) throw new Usage("invalid value '" + direction + "' for '--direction <DIRECTION>'");
    const edges = [
      ...(direction === 'up' ? [] : down(state, id).map((edge) => ({ edge, other: edge.depends_on_id }))),
      ...(direction === 'down' ? [] : up(state, id).map((edge) => ({ edge, other: edge.issue_id }))),
    ];
    return edges.map(({ edge, other }) => {
      const issue = find(state, other);
      return isBd ? { ...issue, dependency_type: edge.type } : { ...edge, title: issue.title, status: issue.status, priority: issue.priority };
    });
  },

  comments(state, given, words) {
    if (isBd && words[0] === 'list') throw new Refusal('USAGE', '"bd comments list" is not valid.');
    const { id } = find(state, words[0] === 'list' ? words[1] : words[0]);
    return state.comments.filter((comment) => comment.issue_id === id);
  },

  'comments add'(state, given, [asked, ...words]) {
    const issue = find(state, asked);
    const spoken = isBd ? (words[0] ?? '') : words.join(' ');
    const text = given.message ?? (given.file ? fs.readFileSync(given.file, 'utf8') : spoken);
    if (text.trim() === '')
      throw new Refusal('VALIDATION_FAILED', isBd ? 'comment text cannot be empty' : 'Validation failed: text: comment text cannot be empty', { retryable: true });
    const number = state.comments.length + 1;
    const comment = { id: isBd ? 'c' + number : number, issue_id: issue.id, author: given.author ?? actor(given), text, created_at: new Date().toISOString().slice(0, 19) + 'Z' };
    state.comments.push(comment);
    issue.updated_at = now();
    return comment;
  },

  comment: (state, given, [id, ...words]) => commands['comments add'](state, given, [id, words.join(' ')]),

  update(state, given, ids) {
    if (given.status && !statuses.includes(given.status))
      throw new Refusal('INVALID_STATUS', isBd ? 'invalid status "' + given.status + '"' : 'Invalid status: ' + given.status, { retryable: true });
    return ids.map((id) => find(state, id)).map((issue) => {
      if (given.claim) claim(issue, actor(given));
      for (const name of ['status', 'title', 'description', 'assignee']) if (given[name] !== undefined) issue[name] = given[name];
      if (given.priority !== undefined) issue.priority = toPriority(given.priority);
      issue.updated_at = now();
      return small(issue) ?? issue;
    });
  },

  close(state, given, ids) {
    const closed = [];
    const skipped = [];
    const waiting = state.issues.filter(({ id }) => openBlockers(state, id).length > 0);
    for (const issue of ids.map((id) => find(state, id))) {
      const blockers = openBlockers(state, issue.id);
      if (issue.status === 'closed') skipped.push({ id: issue.id, reason: 'already closed' });
      else if (blockers.length > 0 && !given.force) skipped.push({ id: issue.id, reason: 'blocked by: ' + blockers.join(', ') });
      else {
        Object.assign(issue, { status: 'closed', closed_at: now(), updated_at: now(), close_reason: given.reason ?? 'done' });
        closed.push(isBd ? issue : { id: issue.id, title: issue.title, status: 'closed', closed_at: issue.closed_at, close_reason: issue.close_reason });
      }
    }
    if (isBd && closed.length === 0)
      throw new Refusal('BLOCKED', skipped.map(({ id, reason }) => 'cannot close ' + id + ': ' + reason).join('\n'), { isPlain: true });
    const unblocked = waiting.filter(({ id, status }) => status !== 'closed' && openBlockers(state, id).length === 0).map(({ id, title, priority }) => ({ id, title, priority }));
    const answer = given['suggest-next'] ? { closed, ...told('skipped', skipped), unblocked } : closed;
    if (closed.length > 0 || isOld) return answer;
    print(answer);
    throw new Refusal('NOTHING_TO_DO', 'Nothing to do: all ' + skipped.length + ' issue(s) skipped');
  },

  create(state, given, [spoken]) {
    const title = given.title ?? spoken ?? '';
    if (title === '') throw new Refusal('REQUIRED_FIELD', isBd ? 'title required' : 'Validation failed: title: cannot be empty');
    const at = now();
    const issue = { id: settings.prefix + '-' + Math.random().toString(36).slice(2, 7), title, ...(given.description && { description: given.description }),
      status: given.status ?? 'open', priority: toPriority(given.priority ?? '2'), issue_type: given.type ?? 'task', created_at: at, created_by: actor(given), updated_at: at };
    const edges = (given.deps ?? '').split(',').filter(Boolean).map((edge) => (edge.includes(':') ? edge.split(':') : ['blocks', edge]));
    if (given.parent) edges.push(['parent-child', given.parent]);
    const dependencies = edges.map(([type, id]) => ({ issue_id: issue.id, depends_on_id: find(state, id).id, type }));
    state.issues.push(issue);
    state.dependencies.push(...dependencies);
    return issue;
  },
};

const actor = (given) => given.actor ?? process.env.BD_ACTOR ?? settings.actor;

function claim(issue, by) {
  if (issue.assignee && issue.assignee !== by)
    throw isBd ? new Refusal('CLAIMED', 'Error claiming ' + issue.id + ': issue already claimed by ' + issue.assignee, { isPlain: true })
      : new Refusal('VALIDATION_FAILED', 'Validation failed: claim: issue already assigned to ' + issue.assignee, { retryable: true });
  Object.assign(issue, { assignee: by, status: 'in_progress' });
}

function toPriority(text) {
  const digit = /^P?([0-4])$/i.exec(text)?.[1];
  if (digit === undefined) throw new Refusal('VALIDATION_FAILED', 'Invalid priority: ' + text, { retryable: true });
  return Number(digit);
}

function print(answer) {
  const plain = isBd && !Array.isArray(answer) ? { ...answer, schema_version: 1 } : answer;
  const enveloped = isBd && process.env.BD_JSON_ENVELOPE === '1' ? { schema_version: 1, data: answer } : plain;
  process.stdout.write(JSON.stringify(enveloped, null, 2) + '\n');
}

/** What a person sees: a line for each issue. */
function printLines(command, answer) {
  if (command === 'comments add' || command === 'comment') return process.stdout.write('Comment added to ' + answer.issue_id + '\n');
  for (const row of Array.isArray(answer) ? answer : (answer.issues ?? [answer]))
    process.stdout.write([row.id, row.status, row.title ?? row.text].filter(Boolean).join(' ') + '\n');
}

/** Takes one of the locks that were asked for. */
function meetsLock() {
  const [token] = fs.readdirSync(beside('locks'));
  if (token === undefined) return false;
  try { fs.unlinkSync(beside(path.join('locks', token))); return true; } catch { return meetsLock(); }
}

async function main(argv) {
  fs.appendFileSync(beside('calls.jsonl'), JSON.stringify(argv) + '\n');
  const trouble = readJson(beside('trouble.json'), {});
  const isMeant = trouble.only === undefined || argv.join(' ').startsWith(trouble.only);
  if (isMeant && trouble.delay > 0) await new Promise((resolve) => setTimeout(resolve, trouble.delay));
  const wantsJson = argv.includes('--json');
  try {
    const { command, given, words } = parse(argv);
    if (folder === null && command !== 'version')
      throw new Refusal('NOT_INITIALIZED', isBd ? 'no active beads workspace found' : "Beads not initialized: run 'br init' first", { hint: 'Run: ' + settings.program + ' init' });
    if (isMeant && meetsLock()) throw locked();
    if (isMeant && trouble.fail) throw new Refusal(trouble.fail.code, trouble.fail.message, { exit: trouble.fail.exit });
    if (isMeant && trouble.says !== undefined) return void process.stdout.write(trouble.says);
    const answer = command === 'version' ? commands.version() : alone((state) => commands[command](state, given, words));
    if (wantsJson || given.format === 'json') print(answer);
    else printLines(command, answer);
  } catch (error) {
    process.exitCode = refuse(error, wantsJson);
  }
}

main(process.argv.slice(2));
`;
