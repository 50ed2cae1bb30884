import { isNameOrPath, type Form } from './forms.ts';

// A password may be a word like any other, so its name decides, and where it stands: behind an option, an equals
// sign, between quotes, at the end of a line. What then is a type, a name, a placeholder or a word of prose stays.

/** Passwords by what stands before them, which the first group is; the second is the password. */
export const passwords: readonly Form[] = [
  {
    kind: 'password',
    form: /((?:^|\s)--(?:[a-z]{1,16}-){0,3}(?:pass(?:word|wd|phrase)?|pwd)(?:=| {1,3})["']?)([^\s"'`$<>{}()[\]\\,;|&]{4,128})(?=[\s"'`,;|&)\]}\\]|$)/g,
    isOne: isSaid,
  },
  {
    kind: 'password',
    form: /(\b(?:(?:mysql|mariadb|mongo)[\w-]{0,12}|sshpass|(?:docker|podman|nerdctl|helm|oras|crane|skopeo)(?: registry| auth)? login)\s(?:[^\n|;&]{0,200}?\s)?-p ?["']?)([^\s"'`$<>{}()[\]\\,;|&]{4,128})(?=[\s"'`,;|&)\]}\\]|$)/g,
    // A short number is a port.
    isOne: (value) => !/^\d{1,5}$/.test(value) && isSaid(value),
  },
  {
    kind: 'password',
    form: /(\b(?:redis-cli\s(?:[^\n|;&]{0,200}?\s)?-a |curl\s(?:[^\n|;&]{0,200}?\s)?(?:-u|--user|--proxy-user)[ =]?["']?[\w.@-]{1,64}:)["']?)([^\s"'`$<>{}()[\]\\,;|&]{4,128})(?=[\s"'`,;|&)\]}\\]|$)/g,
    isOne: isSaid,
  },
  {
    kind: 'password',
    form: /((?:passw(?:or)?d|passphrase|(?<=_)(?:pass|pwd)|(?<=;)pwd)=)([^\s"'`$<>{}()[\]\\,;|&]{4,128})(?=[\s"'`;|&\\]|$)/gi,
    isOne: isSaid,
  },
  {
    kind: 'password',
    form: /((?:passw(?:or)?d|passphrase|(?<=[_-])(?:pass|pwd))\\{0,8}["'`]?\s{0,3}(?::\s?(?:string|str|&str)\s?=|:=|=>|[:=])\s{0,3}\\{0,8}["'`])([^\s"'`\\<>{}$*[(][^\s"'`\\<>{}]{3,127})(?=\\{0,8}["'`])/gi,
    isOne: isSaid,
  },
  {
    kind: 'password',
    form: /((?:passw(?:or)?d|passphrase|(?<=_)(?:pass|pwd))["']?(?::[ \t]{1,4}|(?<=^[\w.-]{0,40}) = ))([^\s"'`$<>{}()[\]\\,;|&]{4,128})(?=[ \t]{0,8}(?:#.{0,200})?\r?$)/gim,
    isOne: isSaid,
  },
  {
    kind: 'password',
    form: /(<(?:[\w.:-]{0,32})passw(?:or)?d>)([^<>\s$]{4,128})(?=<\/)/gi,
    isOne: isSaid,
  },
];

/** Words that stand where a password may: types, values of a program, labels, states, and what prose goes on with. */
const words: ReadonlySet<string> = new Set(
  `string number boolean bool text char chars varchar bytes byte buffer object array unknown never void null none nil
  undefined true false type value values input output field prompt hash hashed bcrypt argon2 scrypt sha256 plain plaintext
  required optional missing invalid incorrect wrong weak strong empty blank short unset default redacted hidden masked
  removed added changed updated fixed done works passed failed complete completed implemented enabled disabled supported
  encrypted stored pending todo yes changeme change example placeholder dummy sample
  option options flag flags argument parameter from with without when where which that this then than into instead only
  must should will would have does and for the file files stdin environment variable variables here there again also prompts`.split(
    /\s+/,
  ),
);

/** Whether what stands behind the name of a password is one. */
function isSaid(value: string): boolean {
  const said = value.replace(/[.?!:]{1,3}$/, '');
  if (said.length < 4 || words.has(said.toLowerCase()) || new Set(said).size < 3) return false;
  if (said.startsWith('-') || isNameOrPath(said)) return false;
  return !/^[:@%!]?[A-Za-z_][\w-]*%?$/.test(said) || !isPlaceholder.test(said);
}

/** A name of what would stand there. */
const isPlaceholder =
  /pass|secret|pwd|token|credential|^(?:your|my|some|new|old|the|example|fake|dummy|sample|replace|insert|enter|change)[-_]/i;
