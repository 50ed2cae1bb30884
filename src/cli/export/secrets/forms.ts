// A key begins where a word does, or behind an escape: in JSON a new line is `\n`, in a terminal a color `[32m`.
// What it is made of is read once, to its end, and judged then: a form that takes back what it has read would
// read a text of many beginnings again for each of them.

/** A kind of key, its form, and what else it has to be. */
export interface Form {
  readonly kind: string;
  readonly form: RegExp;
  readonly isOne?: (text: string) => boolean;
}

/** Keys by their forms. */
export const forms: readonly Form[] = [
  {
    kind: 'key in two lines',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])(?:sk-(?:ant|proj|or|svcacct|admin)-|gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|[rs]k_live_|AKIA|AIza|hf_|npm_|pypi-|eyJ)[\w.-]{0,200}\\{0,4}(?:\r?\n|(?<=\\)n)[ \t]{0,16}(?!sk-|gh\w_|glpat-|xox|AKIA|eyJ)[\w.-]{8,200}(?=["'`,;)]{0,3}[ \t]{0,8}(?:[\r\n\\]|$))/g,
    isOne: (text) =>
      isOdd(
        text
          .split(/\n|\\n/)
          .at(-1)!
          .trim(),
      ),
  },
  {
    kind: 'AWS key',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  },
  {
    kind: 'GitHub token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])(?:gh[opsur]_\w{36,255}|github_pat_\w{22,255})/g,
  },
  {
    kind: 'GitLab token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[\w-]{20,}/g,
  },
  {
    kind: 'Anthropic key',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])sk-ant-[\w-]{20,}/g,
  },
  {
    kind: 'OpenAI key',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])sk-[\w-]{20,}/g,
    isOne: (text) => /\d[\w-]{18}/.test(text),
  },
  {
    kind: 'Google key',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,})/g,
  },
  {
    kind: 'Slack token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])(?:xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,})|hooks\.slack\.com\/services\/[\w/]{20,}/g,
  },
  {
    kind: 'Stripe key',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])(?:[prs]k_(?:live|test)_\w{16,}|whsec_\w{24,})/g,
  },
  {
    kind: 'npm token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g,
  },
  { kind: 'PyPI token', form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])pypi-[\w-]{50,}/g },
  { kind: 'Hugging Face token', form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])hf_[A-Za-z0-9]{30,}/g },
  {
    kind: 'SendGrid key',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])SG\.[\w-]{16,}\.[\w-]{16,}/g,
  },
  {
    kind: 'DigitalOcean token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])do[opr]_v1_[a-f0-9]{64}(?![A-Za-z0-9])/g,
  },
  {
    kind: 'Telegram token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])\d{8,10}:AA[\w-]{33}/g,
  },
  { kind: 'age key', form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])AGE-SECRET-KEY-1[0-9A-Z]{50,}/g },
  { kind: 'xAI key', form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])xai-[A-Za-z0-9]{40,}/g },
  { kind: 'Groq key', form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])gsk_[A-Za-z0-9]{32,}/g },
  { kind: 'Vault token', form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])hv[sbr]\.[\w-]{24,}/g },
  { kind: 'Linear key', form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])lin_api_[A-Za-z0-9]{32,}/g },
  {
    kind: 'Shopify token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}/g,
  },
  {
    kind: 'JSON web token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
  },
];

/** Keys by what stands before them, which the first group is; the second is the key. */
export const named: readonly Form[] = [
  {
    kind: 'password',
    form: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]{0,64}:)([^\s@/"'<>$\\{}]{3,128})(?=@[\w[])/gi,
  },
  {
    kind: 'authorization',
    form: /(\b(?:Bearer|Basic) +)([\w.~+/-]{16,}={0,2})/g,
  },
  {
    kind: 'authorization',
    form: /((?:authorization\\{0,8}["']?\s{0,3}[:=]\s{0,3}\\{0,8}["']?(?:(?:bearer|basic|token|bot|apikey) {1,3})?|\bbearer {1,3}))([\w.~+/=-]{8,512})/gi,
    isOne: isKey,
  },
  {
    kind: 'password',
    form: /((?:^|\s)(?:-u|--user|--proxy-user)[ =]{0,3}["']?[\w.@-]{1,64}:)([^\s"'$\\{}<>]{4,128})/g,
    isOne: isPassword,
  },
  {
    kind: 'value of a secret',
    form: /(--(?:[a-z]{1,16}-){0,3}(?:api-?key|key|token|pass(?:word|wd|phrase)?|pwd|secret|auth)[ =]{1,3}["']?)([\w.~+/=!@#%^&*-]{6,512})/g,
    isOne: isPassword,
  },
  {
    kind: 'value of a secret',
    form: /([?&](?:key|sig|signature|code|auth|pass|pwd|x-amz-(?:signature|security-token)|x-goog-signature)=)([\w.~+/%-]{12,2048})/gi,
    isOne: isKey,
  },
  {
    kind: 'value of a secret',
    form: /((?<![A-Za-z])sig=|(?<=:)_auth=|"auth\\{0,4}"\s{0,3}:\s{0,3}\\{0,4}")([\w~+/%=-]{12,2048})/g,
    isOne: isKey,
  },
  {
    kind: 'value of a secret',
    form: /((?<=[A-Z\d]_)(?:KEY|PASS|PWD)\\{0,8}["']?\s{0,2}[:=]\s{0,2}\\{0,8}["']?(?:base64:)?)([\w.~+/=!@#%^&*-]{8,512})/g,
    isOne: isPassword,
  },
  {
    kind: 'value of a secret',
    form: /((?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|(?:access|private|signing|encryption|account|master|auth)[_-]?key|credential)[\w-]{0,24}\\{0,8}["'`]?\s{0,3}(?:\??:\s?(?:string|str|&str)\s?=|:=|=>|[:=,])\s{0,3}\\{0,8}["'`]?)([\w.~+/=!@#%^&*-]{8,512})(?![\w(.[])/gi,
    isOne: isKey,
  },
];

/** Cookies, of which each value is read. */
export const cookies =
  /(?<![\w])(?:set-)?cookie\\{0,8}["']?\s{0,3}:\s{0,3}\\{0,8}["']?[\w.-]{1,64}=[^\r\n"'\\]{8,4096}/gi;

/** Whether what stands behind a name is a key, and no word, number, path, or call of a program. */
export function isKey(value: string): boolean {
  if (!isPassword(value)) return false;
  // A name has words; a key has letters and digits in no order.
  return changesIn(value) >= 0.15 || new Set(value).size >= 14;
}

/** Whether it has letters and digits, and is no path, name or date. */
function isPassword(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return !isNameOrPath(value) && !/^\d{4}-\d\d-\d\d/.test(value);
}

/** Whether it is a name of several parts, as `process.env.KEY`, or a path. */
export const isNameOrPath = (value: string): boolean =>
  /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || isPath(value);

const isPath = (value: string): boolean =>
  /^[./~]/.test(value) ||
  (value.split('/').length > 2 &&
    value.slice(value.indexOf('/', value.indexOf('/') + 1)).includes('.'));

/** Whether letters and digits are in no order. */
const isOdd = (text: string): boolean => isPassword(text) && changesIn(text) >= 0.2;

const changesIn = (text: string): number =>
  (text.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0) / text.length;
