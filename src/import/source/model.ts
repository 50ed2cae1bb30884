import type { AssistantMessage } from '../../core/messages/message.ts';

/** The model of an answer, for a message to be spread into; nothing where the file names none. */
export function answeredBy(
  name: string | undefined,
  provider?: string,
): Pick<AssistantMessage, 'model'> {
  if (name === undefined || name === '') return {};
  return { model: { name, ...(provider === undefined || provider === '' ? {} : { provider }) } };
}
