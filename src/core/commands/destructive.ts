import type { Schema } from '../values/validation.ts';
import { leavesOf, shellText } from './shell-commands.ts';
import { simpleCommands, withoutRedirections } from './shell-words.ts';
import { oneLine } from '../text/sentences.ts';
import type { ToolCall } from '../messages/message.ts';

// Calls that cannot be taken back; a document is written before one runs. A shell text is
// read as a shell reads it, command by command, so that what is quoted, printed or searched
// for is none: `echo "rm -rf"`, `grep rm`. Patterns that a session brings take the place of
// all this: regular expressions, without regard to case, over a tool's name and arguments.

/** What the words behind a program say where it cannot be taken back, by the program. */
const programs: readonly (readonly [name: RegExp, words: RegExp])[] = [
  [
    /^(?:rm|unlink|shred|srm|truncate|dropdb|dropuser|wipefs|fdisk|mkfs(?:\.\w+)?)$/,
    /^(?!--help$|--version$)./,
  ],
  [/^(?:del|rd|deltree|remove-item)$/i, /./],
  [/^dd$/, /(?:^| )of=/],
  [/^find$/, /(?:^| )-(?:delete\b|(?:exec|ok)(?:dir)? (?:sudo )?(?:rm|shred|unlink)\b)/],
  [/^(?:xargs|parallel)$/, /(?:^| )(?:rm|shred|unlink)\b/],
  [/^rsync$/, /(?:^| )--(?:delete|remove-source-files)/],
  [
    /^git$/,
    /^(?:reset .*--(?:hard|merge)|clean .*(?:-\w*f|--force)|(?:checkout|switch) .*(?:-f\b|--force|--discard-changes)|checkout (?:.* )?(?:\.\/?|-- .+)$|restore (?!(?:--staged|-S)(?!.*(?:--worktree|-W)))|branch .*(?:-\w*D|--delete --force)|stash (?:drop|clear)|push .*(?:--force|-f\b|--delete|-d |--mirror| \+\S| :\S)|worktree remove .*(?:-f|--force)|reflog expire|filter-(?:branch|repo)|update-ref -d|tag (?:-d|--delete))/,
  ],
  [
    /^(?:docker|podman)$/,
    /^(?:(?:volume|image|network|container|system|builder) (?:rm|remove|prune)|rmi?\b|compose .*\bdown .*(?:-v\b|--volumes))/,
  ],
  [/^docker-compose$/, /\bdown .*(?:-v\b|--volumes)/],
  [/^(?:kubectl|oc|helm|gcloud|az)$/, /(?:^| )(?:delete|uninstall|drain)\b/],
  [/^(?:terraform|tofu|terragrunt|pulumi)$/, /(?:^| )(?:destroy|apply)\b/],
  [/^aws$/, /\bs3 (?:rm|rb)\b|\bs3 (?:sync|mv) .*--delete|(?:^| )(?:delete|terminate|purge)-/],
  [/^gsutil$/, /(?:^| )(?:rm|rb)\b/],
  [/^(?:redis-cli|valkey-cli)$/i, /(?:^| )(?:flushall|flushdb|del|unlink)\b/i],
  [/^(?:npm|pnpm|yarn|cargo|gem|poetry|twine)$/, /^(?:publish|unpublish|yank|upload)\b/],
  [
    /^(?:rails|rake|mix|artisan|manage\.py|sequelize|prisma|supabase)$/,
    /^(?:db:(?:drop|reset|purge|wipe)|ecto\.(?:drop|reset)|migrate(?::| )(?:fresh|reset)|db reset|flush)\b/,
  ],
  [/^crontab$/, /^-r\b/],
  [
    /^(?:psql|mysql|mariadb|sqlite3|duckdb|sqlcmd|clickhouse(?:-client)?|mongo(?:sh)?|cqlsh|bq|snowsql)$/,
    /^[^]*?(?:\b(?:drop (?:table|database|schema|index|view|collection|keyspace|user|role)|truncate|delete from)\b|\.(?:drop|dropDatabase|deleteMany|remove)\()/i,
  ],
];

/** Tools that take something away, by their names, and those that a database answers. */
const removing = /(?:^|[._-])(?:delete|remove|drop|destroy|truncate|purge)/i;
const asking = /sql|query|database|postgres|mongo/i;

/** Words before a command that are none of it: what it is run with, and where. */
const leading =
  /^(?:\w+=.*|-.*|sudo|doas|command|exec|nohup|time|env|nice|then|do|else|!|\{|npx|bunx|php|python3?|bundle)$/;

/** A shell that is given a text, and what runs a command elsewhere. */
const shells = /^(?:ba|z|da|k)?sh$/;
const elsewhere = /^(?:ssh|eval|docker|podman|kubectl|docker-compose|watch|timeout)$/;

/** Longest part of a call that is read, in UTF-16 units, and deepest shell within a shell. */
const mostRead = 4_000;
const deepest = 3;

/** Whether a call matches one of `patterns`; null for what usually cannot be taken back. */
export function isDestructive(call: ToolCall, patterns: readonly string[] | null): boolean {
  if (patterns !== null) return matchesCall(call, patterns);
  const text = shellText(call).slice(0, mostRead);
  if (text !== '') return destroys(text, 0);
  if (removing.test(call.name)) return true;
  return (
    asking.test(call.name) && programs.at(-1)![1].test(oneLine(leavesOf(call.arguments, mostRead)))
  );
}

/** Whether the name and the arguments of a call match one of `patterns`. */
export function matchesCall(call: ToolCall, patterns: readonly string[]): boolean {
  const text = oneLine(`${call.name} ${leavesOf(call.arguments, mostRead)}`);
  return patterns.some((pattern) => matcherOf(pattern).test(text));
}

/** Whether a shell text has a command that cannot be taken back. */
function destroys(text: string, depth: number): boolean {
  return simpleCommands(text).some(({ words, input = '' }) => {
    const start = words.findIndex((word) => !leading.test(word));
    const [program = '', ...rest] = words.slice(Math.max(0, start));
    const name = program.slice(program.lastIndexOf('/') + 1);
    const args = withoutRedirections(rest);
    const operands = name === 'git' ? withoutOptions(args) : args;
    const line = oneLine(`${operands.join(' ')} ${input}`);
    if (programs.some(([one, what]) => one.test(name) && what.test(line))) return true;
    if (depth === deepest) return false;
    if (shells.test(name)) return rest.some((word) => /\s/.test(word) && destroys(word, depth + 1));
    return (
      elsewhere.test(name) && rest.some((_, at) => destroys(rest.slice(at).join(' '), deepest))
    );
  });
}

/** The words of a git command without the options before it. */
function withoutOptions(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, index) => !word.startsWith('-') && !/^-[Cc]$/.test(words[index - 1] ?? ''),
  );
  return words.slice(Math.max(0, at));
}

const matchers = new Map<string, RegExp>();

function matcherOf(pattern: string): RegExp {
  const matcher = matchers.get(pattern) ?? new RegExp(pattern, 'i');
  if (matchers.size > 256) matchers.clear();
  matchers.set(pattern, matcher);
  return matcher;
}

/** Patterns as an option takes them; null for the usual ones. */
export const patternsSchema: Schema = {
  holds: (value) => value === null || (Array.isArray(value) && value.every(isPattern)),
  takes: 'a list of regular expressions, or null for the usual ones',
};

function isPattern(value: unknown): boolean {
  const pattern = sourceOf(value);
  if (typeof pattern !== 'string' || pattern === '') return false;
  try {
    matcherOf(pattern);
    return true;
  } catch {
    return false;
  }
}

const sourceOf = (one: unknown): unknown => (one instanceof RegExp ? one.source : one);

/** The sources of regular expressions, as options keep them. */
export function toPatterns(
  patterns: readonly (string | RegExp)[] | null,
): readonly string[] | null {
  return patterns === null ? null : patterns.map((one) => sourceOf(one) as string);
}
