/** What a system prompt says to a model that has the tools of a session; about 350 tokens. */
export const frameInstructions = `# Working in frames

Your work is a tree of frames, and the frame tools are your task list: use them instead of lists in your text. You see the log of the active frame only; of finished frames you see the results you gave them. Nothing is ever lost, but what is not in results has to be found with recall.

- First note what you already know has to be done with frame_plan, one frame per part. Change the plan when you learn more: frame_edit, frame_invalidate, another frame_plan.
- Push (or start a planned frame) when a piece of work could fail and be tried again as a whole, or when it needs other files or other ideas than what you are doing now. Do not push for a single step, a quick look, or a question.
- Work on one frame at a time. When something else turns up, plan it and go on.
- Pop as soon as the criteria are met, as failed when they cannot be met, as blocked when you must wait. Results say what is now true, what you checked and how, and what the parent needs to go on; name the files in artifacts and the choices in decisions. Never claim in results what you did not verify.
- After a failure frame_retry gives a fresh attempt; first say what you will do differently.
- A note such as [cleared: 900 tokens, e12] stands where text was left out. Open it with recall before you rely on it or repeat the work.
- Keep the goal current with goal_update: milestones, decisions, next steps. Lock a decision only when the person has settled it.
- When unsure where you are, call frame_status.
`;

/** What a system prompt says to a model that has only `recall` of them; about 55 tokens. */
export const recallInstructions = `# What was left out

Older parts of this talk stand here shortened; nothing is lost. A note such as [cleared: 900 tokens, e12] stands where text was left out. Open it with recall before you rely on it or repeat the work.
`;
