// What stands where a key may is one, or it is what programs and people write there: a name, a path, a variable,
// a call, a type, a placeholder, a word of prose. A name has words; a key has letters and digits in no order.

/** Whether what stands behind a name is a key, and no word, number, path, or call of a program. */
export function isKey(value: string): boolean {
  if (!isPassword(value)) return false;
  return share(value) >= 0.15 || new Set(value).size >= 14;
}

/** Whether it has letters and digits, and is no path, name or date. */
export function isPassword(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return !isWord(value) && !isNameOrPath(value) && !/^\d{4}-\d\d-\d\d/.test(value);
}

/** Whether letters and digits are in no order. */
export const isOdd = (text: string): boolean => isPassword(text) && share(text) >= 0.2;

/** Whether letters and digits change places `least` times, so that no word and no number in it explains them, or signs are strewn among them. */
export const isMixed = (value: string, least: number): boolean =>
  isPassword(value) && ((changes(value) >= least && share(value) >= 0.15) || isStrewn(value));

/** Whether it is as the secret key of Django is, behind whatever words: long, and with so many signs that nobody wrote it. */
const isStrewn = (value: string): boolean =>
  /^[\w!@#$%^&*(=+)-]{40,}$/.test(value) && value.replace(/[\w-]/g, '').length >= 3;

/** Whether it is a name of several parts, as `process.env.KEY`, or a path. */
const isNameOrPath = (value: string): boolean => isName(value) || isPath(value);

/** Whether it is written as a member of something is. */
export const isMember = (value: string): boolean => /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value);

/** Whether it is, and its parts are words of a program, but for a short one. */
function isName(value: string): boolean {
  if (!isMember(value)) return false;
  const strange = value.split('.').filter((part) => !word.test(part));
  return strange.length === 0 || (strange.length === 1 && strange[0]!.length < 12);
}

/** A word of a program: `apiKey2`, `API_KEY`, `api_key`, `userID`. */
const word =
  /^_{0,2}(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*(?:ID|URL|URI|API|DB|V)?|[A-Z]+(?:_[A-Z\d]+)*|[a-z]+(?:_[a-z\d]+)*)\d{0,3}_?$/;

function isPath(value: string): boolean {
  const parts = value.split('/');
  const isOne =
    /^(?:[./]|~\w{0,32}(?:\/|$))/.test(value) ||
    (parts.length > 2 && parts.slice(2).some((part) => part.includes('.')));
  // The letters of a key in base 64 have slashes among them.
  return isOne && !parts.some((part) => part.length >= 16 && share(part) >= 0.3);
}

const changes = (text: string): number =>
  text.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;

const share = (text: string): number => changes(text) / text.length;

/** Whether it is what a program or a shell puts there: a variable, a template, a call, a part of a list; or an address, which is read by itself. */
export const isCode = (value: string, isQuoted: boolean): boolean =>
  isVariable(value) ||
  // Between quotes stands all of a call.
  ((!isQuoted || /[)\]]$/.test(value)) &&
    /^(?:await |new )?[A-Za-z_$][\w$.?!]*[([](?![^()[\]]{0,200}[)\]][\w!@#^*%-])/.test(value)) ||
  /^[a-z][a-z\d+.-]{1,20}:\/\//i.test(value);

/** Whether it is a variable or a template, which something else fills. */
export const isVariable = (value: string): boolean =>
  /^\$|\$\{|\{\{|#\{|<%|^%\w{1,64}%$|^\{[^{}]*\}$|^<[^<>]*>$/.test(value);

/** Words that stand where a password may: types, values of a program, labels, states, and what prose goes on with. */
const words: ReadonlySet<string> = new Set(
  `string number boolean bool text char chars varchar bytes byte buffer object array unknown never void null none nil
  undefined true false type value values input output field prompt hash hashed plain plaintext
  bcrypt argon2 argon2i argon2d argon2id scrypt pbkdf2 md5 sha1 sha256 sha384 sha512 unchanged verified validated
  required optional missing invalid incorrect wrong weak strong empty blank short unset default redacted hidden masked
  removed added changed updated fixed done works passed failed complete completed implemented enabled disabled supported
  encrypted stored pending todo yes changeme change example placeholder dummy sample
  option options flag flags argument parameter from with without when where which that this then than into instead only
  must should will would have does and for the file files stdin environment variable variables here there again also prompts`.split(
    /\s+/,
  ),
);

/** Whether it is one of them, or of several. */
const isWord = (value: string): boolean =>
  value
    .toLowerCase()
    .split('-')
    .every((part) => words.has(part));

/** Whether it says that a secret stands there, and so stands everywhere. */
export const isCommon = (value: string): boolean =>
  isWord(value) || (/^[:@%!]?[A-Za-z_][\w-]*%?$/.test(value) && isPlaceholder.test(value));

/** Whether what stands behind the name of a password is one. */
export function isSaid(value: string): boolean {
  const said = value.replace(/[.?!:]{1,3}$/, '');
  if (said.length < 4 || new Set(said).size < 3 || isCommon(said)) return false;
  return !said.startsWith('-') && !isNameOrPath(said);
}

/** Whether one of several words is none, but letters and digits in no order. */
export const hasOddWord = (value: string): boolean =>
  value.split(/\s+/).some((part) => part.length >= 4 && isMixed(part, 2));

/** Whether words in quotes are a password: four and more, which say nothing of one. */
export function isPhrase(value: string): boolean {
  const parts = value.split(' ');
  return (
    parts.length >= 4 &&
    parts.every((part) => /^[a-z]{3,}$/.test(part) && !words.has(part) && !isPlaceholder.test(part))
  );
}

/** A name of what would stand there. */
const isPlaceholder =
  /pass|secret|pwd|token|credential|^(?:your|my|some|new|old|the|example|fake|dummy|sample|replace|insert|enter|change)[-_]/i;
