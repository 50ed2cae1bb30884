import { jsonOf } from '../../core/values/json.ts';

// Servers say what went wrong in fields of their own, or in plain text, or pass
// on another server's answer as a string inside theirs. Some repeat the request
// beside it, or in it; and what a person wrote there is nobody's error.

/** Fields in which a server speaks for itself, in lower case. */
const own: ReadonlySet<string> = new Set(
  `error errors message msg detail details description title reason type __type code
  status cause innererror metadata raw error_msg error_message error_type error_code
  error_description errormessage base_resp status_msg n_prompt_tokens n_ctx`.split(/\s+/),
);

/** Fields in which a server repeats what it was sent. */
const echoes: ReadonlySet<string> = new Set(
  'input inputs prompt messages content contents request body'.split(' '),
);

/** Where a text begins to repeat a request. */
const echo =
  /[{,]\s*["'](?:inputs?|prompt|messages|contents?|request|body)["']\s*:|\binput_value\s*=/i;

/** Characters of one text that are read. */
const longest = 20_000;

/** Answers inside answers that are looked into. */
const deepest = 24;

/**
 * All that an error says in words of its own, one text a line, at whatever depth:
 * messages, types and codes, and the numbers `n_ctx` and `n_prompt_tokens` as
 * `"n_ctx": 256`. Nothing of a request that it repeats.
 */
export function errorWords(body: string): string {
  return wordsIn(body, '', 0).join('\n');
}

function wordsIn(value: unknown, field: string, depth: number): readonly string[] {
  if (depth > deepest) return [];
  if (typeof value === 'number') return field.startsWith('n_') ? [`"${field}": ${value}`] : [];
  if (typeof value === 'string') {
    const inner = parsed(value);
    return inner === undefined ? [plain(value)] : wordsIn(inner, field, depth + 1);
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, field, depth + 1));
  return Object.entries(value).flatMap(([name, inner]) =>
    own.has(name.toLowerCase()) ? wordsIn(inner, name, depth + 1) : [],
  );
}

/** The value of a text that holds an answer, a list or a text; undefined where it is a text of its own. */
const parsed = (text: string): unknown =>
  /^\s*[[{"]/.test(text) ? (jsonOf(text) ?? undefined) : undefined;

const plain = (text: string): string => unescaped(text.slice(0, longest)).split(echo, 1)[0] ?? '';

/** Text out of JSON at any depth, with its quotes and signs as they were meant. */
function unescaped(text: string): string {
  return text.replace(
    /\\+(?:u00([0-9a-f]{2})|([nrt])|["'/])?/gi,
    (run, code?: string, blank?: string) => {
      if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
      return blank === undefined ? run.replace(/\\+/, '') : ' ';
    },
  );
}

/** What an error tells a person: its message, wherever a server puts it, without what it repeats; '' if there is none. */
export function errorMessage(body: string): string {
  const value = parsed(body);
  return value === undefined ? body.trim() : messageIn(value);
}

function messageIn(value: unknown): string {
  for (const field of ['error', 'message', 'detail', 'error_msg']) {
    const inner = (value as Readonly<Record<string, unknown>> | null)?.[field];
    if (typeof inner === 'string') return inner;
    if (typeof inner === 'object' && inner !== null) return messageIn(inner);
  }
  return typeof value === 'string' ? value : JSON.stringify(value, withoutEcho);
}

const withoutEcho = (field: string, value: unknown): unknown =>
  echoes.has(field) ? undefined : value;
