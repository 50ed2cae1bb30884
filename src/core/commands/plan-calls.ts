import type { ToolCall } from '../messages/message.ts';
import { fieldOf } from '../values/json.ts';

/** Whether a call asks if a plan is to be carried out. */
export const asksForPlan = ({ name }: ToolCall): boolean =>
  /^(?:exit_?plan_?mode|create_?plan)$/i.test(name);

/** Whether a call has a sub-agent make a plan. */
export function ordersPlan({ arguments: args }: ToolCall): boolean {
  const type = fieldOf(args, 'subagent_type');
  return typeof type === 'string' && /^(?:plan(?:ner|ning)?|architect)$/i.test(type);
}
