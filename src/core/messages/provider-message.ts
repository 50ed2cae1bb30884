/**
 * A message as a provider spelled it, where our fields cannot say it all: thinking with its signature,
 * items that belong together, what a server ran itself. Sent back to that provider byte for byte while
 * the entry is verbatim, and counted; left out as a whole where the entry is shortened.
 */
export interface ProviderMessage {
  /** Who spelled it: `anthropic`, `openai`, `openai-responses`, `ai-sdk` … */
  readonly name: string;
  /** JSON, as that provider takes it. */
  readonly raw: unknown;
}

/** Whether a field of a message is one, or is not there. */
export function isProvider(value: unknown): boolean {
  if (value === undefined) return true;
  const { name, raw } = Object(value) as Record<string, unknown>;
  return typeof name === 'string' && name !== '' && raw !== undefined;
}

/** What it holds beside the files of its message, as the JSON text that is sent; '' for none. */
export function providerText(
  provider: ProviderMessage | undefined,
  files: readonly { readonly data: string }[],
): string {
  if (provider === undefined) return '';
  const sentData = new Set(files.map(({ data }) => data));
  return JSON.stringify(provider.raw, (_, value: unknown) =>
    typeof value === 'string' && sentData.has(value) ? '' : value,
  );
}

/** A message without what a provider spelled, which stands for the whole of it. */
export function withoutProvider<M extends { readonly provider?: ProviderMessage | undefined }>(
  message: M,
): M {
  if (message.provider === undefined) return message;
  const { provider: _, ...rest } = message;
  return rest as M;
}
