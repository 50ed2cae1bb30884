/** Reads the arguments as `clap` and `cobra` do, and knows how each of the programs says no. */
export const argumentsText = String.raw`
const fs = require('node:fs');
const path = require('node:path');

const beside = (name) => path.join(__dirname, name);
const readJson = (file, otherwise) => {
  try { return JSON.parse(fs.readFileSync(file, 'utf8')); } catch { return otherwise; }
};
const settings = readJson(beside('settings.json'), {});
const isBd = settings.program === 'bd';
const isOld = settings.version === '0.1';

/** Flags by command; a name that ends in "=" takes a value. */
const everywhere = 'json actor= db= quiet no-color no-auto-flush verbose';
const flags = {
  info: '',
  version: '',
  list: 'status= type= assignee= priority= limit= sort= all format=',
  ready: 'limit= sort= assignee= unassigned priority= type= format=',
  show: isBd ? 'include-comments include-dependents short' : 'format=',
  'dep list': 'direction= type=',
  'comments add': isBd ? 'file= author=' : 'file= author= message=',
  comments: '',
  comment: 'file= author=',
  update: 'status= claim assignee= priority= title= description= parent=',
  close: 'reason= force suggest-next session=',
  create: 'title= description= type= priority= parent= deps= assignee= status= labels=',
};
const short = { s: 'status=', t: 'type=', p: 'priority=', d: 'description=', r: 'reason=', f: 'file=', a: 'assignee=', n: 'limit=', q: 'quiet' };

class Refusal extends Error {
  constructor(code, message, more = {}) { super(message); this.code = code; this.more = more; }
}
class Usage extends Error {}

const unknownFlag = (flag) => new Usage(isBd ? 'unknown flag: ' + flag : "unexpected argument '" + flag + "' found");

/** The command, its flags by name and its other words. */
function parse(argv) {
  const found = argv.slice(0, 2).join(' ') in flags ? argv.slice(0, 2).join(' ') : argv[0];
  if (!(found in flags) || (found === 'comment' && !isBd))
    throw new Usage(isBd ? 'unknown command "' + argv[0] + '" for "bd"' : "unrecognized subcommand '" + argv[0] + "'");
  const known = (flags[found] + ' ' + everywhere).split(' ').filter((flag) => !settings.lacks.includes('--' + flag.replace('=', '')));
  const given = {};
  const words = [];
  const rest = argv.slice(found.split(' ').length);
  while (rest.length > 0) {
    const word = rest.shift();
    if (word === '--') { words.push(...rest.splice(0)); break; }
    if (!/^-./.test(word)) { words.push(word); continue; }
    const [name, ...after] = word.replace(/^-+/, '').split('=');
    const flag = word.startsWith('--') ? name : (short[name] ?? '').replace('=', '');
    if (known.includes(flag)) given[flag] = true;
    else if (!known.includes(flag + '=')) throw unknownFlag(word.startsWith('--') ? '--' + name : word);
    else if (after.length === 0 && rest.length === 0) throw new Usage("a value is required for '--" + flag + "'");
    else given[flag] = after.length > 0 ? after.join('=') : rest.shift();
  }
  return { command: found, given, words };
}

const exits = {
  NOT_INITIALIZED: 2, DATABASE_LOCKED: 2, DATABASE_ERROR: 2, ISSUE_NOT_FOUND: 3, AMBIGUOUS_ID: 3, NOTHING_TO_DO: 3,
  VALIDATION_FAILED: 4, INVALID_STATUS: 4, REQUIRED_FIELD: 4, DEPENDENCY_NOT_FOUND: 5, IO_ERROR: 8,
};

/** Says no as the program does, and ends with its exit code. */
function refuse(error, wantsJson) {
  if (error instanceof Usage) {
    process.stderr.write(isBd ? 'Error: ' + error.message + '\n' : 'error: ' + error.message + "\n\nUsage: br [OPTIONS] <COMMAND>\n\nFor more information, try '--help'.\n");
    return isBd ? 1 : 2;
  }
  if (!(error instanceof Refusal)) throw error;
  const { hint = null, retryable = false, context = null, isPlain = false, exit } = error.more;
  if (isBd) {
    const json = { error: error.message, ...(hint && { hint }), schema_version: 1 };
    if (wantsJson && !isPlain) process.stdout.write(JSON.stringify(json, null, 2) + '\n');
    else process.stderr.write((isPlain ? '' : 'Error: ') + error.message + '\n');
    return exit ?? 1;
  }
  const json = { error: { code: error.code, message: error.message, hint, retryable, context } };
  process.stderr.write(JSON.stringify(json, null, 2) + '\n');
  return exit ?? exits[error.code] ?? 1;
}
`;
