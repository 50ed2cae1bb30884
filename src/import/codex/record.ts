import { isJson, recordAt, stringAt, type Json } from '../source/record.ts';

// A rollout has been written in two ways. Of old, the items of the model's API
// stood bare, after a header without a type; now each line is an envelope:
//
//   {"id":"…","timestamp":"…","instructions":null}             header
//   {"type":"message","role":"user","content":[…]}             bare item
//   {"timestamp":"…","type":"response_item","payload":{…}}     the same, wrapped

/** A line of a rollout, by kind. */
type Rollout =
  /** Metadata of the session. */
  | { readonly kind: 'meta'; readonly payload: Json }
  /** An item that the model was sent, or sent. */
  | { readonly kind: 'item'; readonly payload: Json }
  /** A compaction. */
  | { readonly kind: 'compacted'; readonly payload: Json }
  /** An event of the user interface. */
  | { readonly kind: 'event'; readonly payload: Json }
  /** The beginning of a turn, with its settings. */
  | { readonly kind: 'turn'; readonly payload: Json }
  /** Bookkeeping. */
  | { readonly kind: 'note' };

const envelopes: Readonly<Record<string, 'meta' | 'item' | 'compacted' | 'event'>> = {
  session_meta: 'meta',
  response_item: 'item',
  inter_agent_communication: 'item',
  compacted: 'compacted',
  event_msg: 'event',
};

const notes = new Set(['world_state', 'token_usage_record', 'inter_agent_communication_metadata']);

/** The kind of message that each type of item makes; `nothing` for unreadable ones. */
const items: Readonly<Record<string, 'message' | 'assistant' | 'result' | 'machine' | 'nothing'>> =
  {
    message: 'message',
    reasoning: 'assistant',
    function_call: 'assistant',
    custom_tool_call: 'assistant',
    local_shell_call: 'assistant',
    tool_search_call: 'assistant',
    web_search_call: 'assistant',
    image_generation_call: 'assistant',
    function_call_output: 'result',
    custom_tool_call_output: 'result',
    tool_search_output: 'result',
    agent_message: 'machine',
    additional_tools: 'nothing',
    compaction: 'nothing',
    compaction_summary: 'nothing',
    compaction_trigger: 'nothing',
    context_compaction: 'nothing',
    ghost_snapshot: 'nothing',
  };

const roles: Readonly<Record<string, 'assistant' | 'text' | 'system'>> = {
  assistant: 'assistant',
  user: 'text',
  system: 'system',
  developer: 'system',
};

/** The kind of a line, or its fault in words. */
export function rolloutOf(record: Json): Rollout | string {
  const { type } = record;
  if (type === undefined) return headerOf(record);
  if (typeof type !== 'string') return 'has no "type"';
  if (Object.hasOwn(items, type)) return { kind: 'item', payload: record };
  if (notes.has(type)) return { kind: 'note' };
  if (type === 'turn_context') return { kind: 'turn', payload: recordAt(record, 'payload') ?? {} };
  const kind = Object.hasOwn(envelopes, type) ? envelopes[type] : undefined;
  if (kind === undefined) return `has the unknown type "${type.slice(0, 40)}"`;
  const payload = recordAt(record, 'payload');
  if (payload === undefined) return 'has no "payload"';
  return type === 'inter_agent_communication'
    ? { kind, payload: { ...payload, type: 'agent_message' } }
    : { kind, payload };
}

function headerOf(record: Json): Rollout | string {
  if (record['record_type'] !== undefined) return { kind: 'note' };
  return isHeader(record) ? { kind: 'meta', payload: record } : 'has no "type"';
}

/** Whether an object without a type begins a rollout of the old form. */
function isHeader(record: Json): boolean {
  return (
    typeof record['id'] === 'string' &&
    typeof record['timestamp'] === 'string' &&
    ('instructions' in record || 'git' in record)
  );
}

/** The kind of message that an item makes: part of an answer, a result, text in the user role, machine text there, a prompt, or nothing. */
export type CodexItemKind = 'assistant' | 'result' | 'text' | 'machine' | 'system' | 'nothing';

/** The kind of an item, or its fault in words. */
export function itemKindOf(item: Json): { readonly making: CodexItemKind } | string {
  const { type, role, content } = item;
  if (typeof type !== 'string') return 'its item has no "type"';
  const making = Object.hasOwn(items, type) ? items[type] : undefined;
  if (making === undefined) return `holds an item of the unknown type "${type.slice(0, 40)}"`;
  if (making !== 'message') return { making };
  if (typeof role !== 'string') return 'its message has no "role"';
  const kind = Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (kind === undefined) return `its message has the unknown role "${role.slice(0, 40)}"`;
  if (typeof content !== 'string' && !Array.isArray(content)) return 'its message has no "content"';
  return { making: kind };
}

/** Whether an object is a line of a rollout and of nothing else. */
export function isRollout(record: Json): boolean {
  const { type } = record;
  if (type === undefined) return isHeader(record);
  if (typeof type !== 'string') return false;
  if (type === 'turn_context' || Object.hasOwn(envelopes, type))
    return 'payload' in record || 'timestamp' in record;
  if (type === 'message') return isBareMessage(record);
  return Object.hasOwn(items, type) && ('call_id' in record || 'summary' in record);
}

function isBareMessage({ role, content }: Json): boolean {
  if (typeof role !== 'string' || !Array.isArray(content)) return false;
  const [first] = content as readonly unknown[];
  const type = isJson(first) ? stringAt(first, 'type') : undefined;
  return type === 'input_text' || type === 'output_text' || type === 'input_image';
}
