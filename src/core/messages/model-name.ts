/** The model that gave an answer, as its host names it. */
export interface ModelName {
  readonly name: string;
  /** Who serves it, where the host says so: `anthropic`, `openai` … */
  readonly provider?: string | undefined;
}

/** Whether a field of a message is one, or is not there. */
export function isModelName(value: unknown): boolean {
  if (value === undefined) return true;
  const { name, provider } = Object(value) as Record<string, unknown>;
  return [name, provider ?? name].every((one) => typeof one === 'string' && one !== '');
}
