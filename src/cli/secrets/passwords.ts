import type { Form } from './forms.ts';
import { isCode, isKey, isSaid, isVariable } from './judge.ts';

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
    form: /(\b(?:echo|printf)\s{1,3}(?:-n )?["']?)([^\s"'`$<>|]{4,128})(?=["']?\s{0,3}\|\s{0,3}[^|\n]{0,200}--password-stdin)/g,
    isOne: (value) => !isVariable(value),
  },
  {
    kind: 'password',
    form: /(\bidentified(?:\s{1,3}with\s{1,3}[\w"'`]{1,64})?\s{1,3}by\s{1,3}\\{0,4}["'])([^"'\s\\]{4,128})(?=\\{0,4}["'])/gi,
    isOne: isSaid,
  },
  {
    // A line of a `.netrc`, and of a `.pgpass`.
    kind: 'password',
    form: /(\b(?:machine\s{1,8}[\w.-]{1,128}|default)\s{1,8}login\s{1,8}[^\s]{1,128}\s{1,8}(?:account\s{1,8}[^\s]{1,128}\s{1,8})?password\s{1,8}["']?)([^\s"'<>$]{4,256})/g,
    isOne: isSaid,
  },
  {
    kind: 'password',
    form: /((?:^|[\t→]) {0,8}(?:[\w.-]{1,128}|\*):(?:\d{4,5}|\*):(?:[\w.-]{1,64}|\*):[\w.@*-]{1,64}:)([^\s"'<>$:]{4,256})(?=\r?$)/gm,
    isOne: isSaid,
  },
  {
    kind: 'password',
    form: /(\b(?:name|key|id)=["'][\w.:-]{0,64}(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key)["']\s{1,8}value=["'])([^"'<>\s]{4,512})(?=["'])/gi,
    isOne: (value) => !isCode(value, true) && (isKey(value) || isSaid(value)),
  },
  {
    kind: 'password',
    form: /(<(?:[\w.:-]{0,32})passw(?:or)?d>)([^<>\s$]{4,128})(?=<\/)/gi,
    isOne: isSaid,
  },
];
