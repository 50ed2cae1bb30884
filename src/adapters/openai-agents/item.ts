import { isSame } from '../../core/formats/provider-parts.ts';

// What the agents say is a list of items: a message, a call, a result, a thought. Calls and results come in
// several types; they are read alike here.

/** The name under which the spelling of the agents is kept. */
export const openaiAgents = 'openai-agents';

/** Ids as the agents' models take them. */
export const itemIds = { longest: 64 } as const;

/** An item of any type, as far as it is read. */
export interface AnyItem {
  readonly type?: string;
  readonly role?: string;
  readonly id?: string;
  readonly name?: string;
  readonly content?: string | readonly AnyPart[];
  readonly rawContent?: readonly AnyPart[];
  readonly callId?: string | null;
  readonly call_id?: string | null;
  readonly caller?: object;
  readonly arguments?: unknown;
  readonly action?: object;
  readonly actions?: readonly object[];
  readonly operation?: object;
  readonly output?: string | AnyPart | readonly AnyPart[];
  readonly status?: string;
  readonly providerData?: Readonly<Record<string, unknown>>;
}

/** A part of an item, as far as it is read. */
export interface AnyPart {
  readonly type?: string;
  readonly text?: string;
  readonly refusal?: string;
  readonly image?: string | Address;
  readonly file?: string | Address;
  readonly filename?: string;
  readonly detail?: string;
  readonly data?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly outcome?: { readonly type?: string; readonly exitCode?: number | null };
  readonly providerData?: Readonly<Record<string, unknown>>;
}

/** Where the data of a file is, in the elder spelling of results. */
interface Address {
  readonly url?: string;
  readonly data?: unknown;
  readonly mediaType?: string;
  readonly filename?: string;
}

/** The type of an item; one without a type is a message. */
export const typeOf = ({ type = 'message' }: AnyItem): string => type;

const calls = new Set(['function_call', 'computer_call', 'shell_call', 'apply_patch_call']);
const results = new Set([
  'function_call_result',
  'computer_call_result',
  'shell_call_output',
  'apply_patch_call_output',
]);

/** The id of a call that a host is to answer; undefined for any other item. */
export function calledIn(item: AnyItem): string | undefined {
  if (calls.has(typeOf(item)) || item.type === 'tool_search_call') return idIn(item);
  const { type, id = item.id } = item.providerData ?? {};
  return type === 'mcp_approval_request' ? (id as string | undefined) : undefined;
}

/** The id of the call that an item answers; undefined for any other item. */
export function answeredIn(item: AnyItem): string | undefined {
  if (results.has(typeOf(item)) || item.type === 'tool_search_output') return idIn(item);
  const { type, approval_request_id: id } = item.providerData ?? {};
  return type === 'mcp_approval_response' ? (id as string | undefined) : undefined;
}

const idIn = ({ callId, call_id }: AnyItem): string | undefined => callId ?? call_id ?? undefined;

/** Whether a call takes no result but one that is spelled for it, or an item is such a result. */
export const isNative = (item: AnyItem): boolean =>
  (calledIn(item) ?? answeredIn(item)) !== undefined &&
  (!typeOf(item).startsWith('function_call') || item.caller !== undefined);

/** Whether items say the same, whatever their ids. */
export const sayTheSame = (some: readonly object[], others: readonly object[]): boolean =>
  isSame((some as readonly AnyItem[]).map(plain), (others as readonly AnyItem[]).map(plain));

/** An item as it is compared: without what names it only. */
function plain(whole: AnyItem): object {
  const { id: _, content, status = 'completed', output, ...item } = whole;
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
  const text = typeof output === 'string' ? { type: 'text', text: output } : output;
  return withoutNames({
    ...item,
    type: typeOf(whole),
    status,
    output: Array.isArray(text) ? text.map(withoutNames) : text,
    content: parts?.map(withoutNames),
  });
}

/** An item or a part without the names and the empty lists that a provider added. */
function withoutNames(held: object): object {
  const { providerData = {}, ...rest } = held as AnyPart;
  const added = Object.entries(providerData).filter(
    ([name, value]) =>
      !['id', 'type'].includes(name) && !(Array.isArray(value) && value.length === 0),
  );
  return added.length === 0 ? rest : { ...rest, providerData: Object.fromEntries(added) };
}
