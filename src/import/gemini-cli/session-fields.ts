import { toSession } from '../source/key.ts';
import { isBlank, stringAt, type Json } from '../source/record.ts';
import { toTitle } from '../source/title.ts';

/** What a session of Gemini CLI says of itself. */
export interface SessionFields {
  readonly id: string;
  readonly title?: string;
  readonly folder?: string;
}

/** What a session's own fields tell of it; `seed` names one without an id. */
export function sessionFields(fields: Json, seed: string): SessionFields {
  const title = stringAt(fields, 'summary') ?? '';
  const { directories } = fields;
  const folder: unknown = Array.isArray(directories) ? directories[0] : undefined;
  return {
    id: toSession(stringAt(fields, 'sessionId'), seed),
    ...(isBlank(title) ? {} : { title: toTitle(title) }),
    ...(typeof folder === 'string' ? { folder } : {}),
  };
}
