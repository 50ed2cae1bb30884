import { toFailure } from '../call/exit.ts';
import { usableTools, wantedTools } from '../chat/conversation/chat-tools.ts';
import { checkRoom, isRoomy } from '../chat/conversation/opening/check-room.ts';
import { newOptions, newWindow } from '../chat/conversation/opening/open-session.ts';
import { number } from '../paper/size.ts';
import { badFinding, goodFinding, oddFinding, type Finding } from './finding.ts';

/** Checks that the window of a new chat holds the system prompt and tools. */
export async function checkPrompt(input: Parameters<typeof newOptions>[0]): Promise<Finding> {
  const window = newWindow(input);
  try {
    const options = await newOptions(input);
    const tools = usableTools(wantedTools(input.options), input.met.facts);
    const first = await checkRoom(window, { options, tools });
    const { system, tools: schemas, reserve } = first.budget;
    const text = `of a window of ${number(window)} tokens, ${number(system + schemas)} are prompt and tools, ${number(reserve)} kept for the answer`;
    const detail = { system, tools: schemas, reserve, window };
    if (isRoomy(first)) return goodFinding('prompt', text, detail);
    const fix = 'That is little room for a talk: a larger --window, or --no-frames.';
    return oddFinding('prompt', text, { fix, detail });
  } catch (error) {
    const { code, message, advice, detail } = toFailure(error);
    return badFinding('prompt', message, { fix: advice, detail: { ...detail, code, window } });
  }
}
