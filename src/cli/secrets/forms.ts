import { isKey, isOdd, isPassword, isVariable } from './judge.ts';

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
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])(?:xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,})|hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[\w/]{20,}/g,
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
    kind: 'Discord webhook',
    form: /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,22}\/[\w-]{40,}/g,
  },
  {
    kind: 'Grafana token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])gl(?:sa_[A-Za-z0-9]{20,}_[a-f0-9]{8}|c_[A-Za-z0-9+/=]{32,})/g,
  },
  {
    kind: 'Notion token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])(?:ntn_[A-Za-z0-9]{36,}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9])/g,
  },
  {
    kind: 'Figma token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])fig[dou]r?_[\w-]{36,}/g,
  },
  {
    kind: 'Replicate token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])r8_[A-Za-z0-9]{32,}/g,
  },
  {
    kind: 'Perplexity key',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])pplx-[A-Za-z0-9]{32,}/g,
  },
  {
    kind: 'New Relic key',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])NRAK-[A-Z0-9]{24,}/g,
  },
  {
    kind: 'Doppler token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])dp\.(?:pt|ct|sa|st|scim|audit)\.(?:[a-z0-9_-]{1,40}\.)?[A-Za-z0-9]{40,}/g,
  },
  {
    kind: 'Atlassian token',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])AT(?:ATT|CTT|BB)3?[\w-]{40,}={0,2}[\w-]{0,16}/g,
  },
  {
    kind: 'Heroku key',
    form: /(?<!(?<!\\|\[[\d;]{0,8})[\dA-Za-z])HRKU-[\w-]{36,}/g,
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
    form: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)([\w.~+%-]{16,256})(?=(?::[^\s:@/"'<>]{0,64})?@[\w[])/gi,
    isOne: isOdd,
  },
  {
    // Up to the last @ before a slash, or where that comes first to the first one before what ends as a host does.
    kind: 'password',
    form: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]{0,64}:)((?:[^\s/?#"'<>\\]|\\{1,4}(?![nrtu"'`\\\s])){3,128}(?=@(?:\w|\[))|(?!\d{1,5}[/?#])(?:[^\s"'<>\\]|\\{1,4}(?![nrtu"'`\\\s])){3,128}?(?=@(?:[\w.-]{1,253}|\[[\da-f:]{2,45}\])(?::\d{1,5})?(?:[/?#\s"'`<>)\]},;\\]|$)))/gi,
    isOne: (value) => !isVariable(value) && (!/[/?#]/.test(value) || isPassword(value)),
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
];

/** Cookies, of which each value is read. */
export const cookies =
  /(?<![\w])(?:set-)?cookie\\{0,8}["']?\s{0,3}:\s{0,3}\\{0,8}["']?[\w.-]{1,64}=[^\r\n"'\\]{8,4096}/gi;
