import { EngineError } from '../../../index.ts';

/** What a settings file holds, and what it is to hold; null for no file. */
export interface SettingsEdit {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Settings as JSON. */
export type Settings = Readonly<Record<string, unknown>>;

/** The settings in a text; throws `OPTION_INVALID` for what is no JSON object, since nobody's settings are written over. */
export function readSettings(file: string, text: string | null): Settings {
  if (text === null || text.trim() === '') return {};
  const refuse = (why: string): EngineError =>
    new EngineError('OPTION_INVALID', `The settings in "${file}" ${why}; mend it, then try again`, {
      detail: { file },
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('are no JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('are no JSON object');
  return value as Settings;
}

/** Settings as a text; null where nothing is left of them. */
export function writtenSettings(settings: Settings): string | null {
  return Object.keys(settings).length === 0 ? null : `${JSON.stringify(settings, null, 2)}\n`;
}

/** Settings with one member in place of what it was; without it where the new one is empty. */
export function withMember(settings: Settings, name: string, value: object): Settings {
  const { [name]: _, ...others } = settings;
  if (Object.keys(value).length === 0) return others;
  return name in settings ? { ...settings, [name]: value } : { ...others, [name]: value };
}

/** A member that is an object; an empty one where it is not. */
export function objectIn(settings: Settings, name: string): Settings {
  const value = settings[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Settings)
    : {};
}
