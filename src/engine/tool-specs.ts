import type { ToolSpec } from '../core/tool.ts';

// These stand in every request, so each word of them costs tokens for good.

const text = (description: string): object => ({ type: 'string', description });
const texts = (description?: string): object => ({
  type: 'array',
  items: { type: 'string' },
  ...(description === undefined ? {} : { description }),
});
const word = (...words: readonly string[]): object => ({ type: 'string', enum: words });
const objects = (properties: Readonly<Record<string, object>>, required: string): object => ({
  type: 'array',
  items: { type: 'object', properties, required: [required], additionalProperties: false },
});

const frame = text('Id, like f3');
const title = text('2 to 5 words');
const criteria = text('What defines done, verifiable');

function spec<const Name extends string>(
  name: Name,
  description: string,
  given: {
    readonly properties?: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  },
): ToolSpec & { readonly name: Name } {
  const { properties = {}, required = [] } = given;
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { name, description, parameters };
}

/** The tools of a session as a model is told of them. */
export const toolSpecs = [
  spec('frame_push', 'Open a subtask of the active frame and enter it.', {
    properties: { title, criteria },
    required: ['title', 'criteria'],
  }),
  spec('frame_pop', 'Leave the active frame and return to its parent.', {
    properties: {
      status: word('completed', 'failed', 'blocked'),
      results: text('What was done and verified; if not completed, why'),
      artifacts: texts('Files made or changed'),
      decisions: texts(),
      frame: text('Only to fail a blocked frame: its id'),
      drop: { type: 'boolean', description: 'Drop unfinished children' },
    },
    required: ['status', 'results'],
  }),
  spec('frame_plan', 'Note a subtask to start later.', {
    properties: { title, criteria, parent: text('Id; the active frame unless told') },
    required: ['title', 'criteria'],
  }),
  spec('frame_start', 'Enter a planned or blocked child of the active frame.', {
    properties: { frame },
    required: ['frame'],
  }),
  spec('frame_edit', 'Change a planned frame.', {
    properties: { frame, title, criteria },
    required: ['frame'],
  }),
  spec('frame_invalidate', 'Close a frame that is no longer needed, and all open below it.', {
    properties: { frame, reason: text('Why') },
    required: ['frame', 'reason'],
  }),
  spec('frame_retry', 'Try a failed child of the active frame again, as a new frame.', {
    properties: { frame },
    required: ['frame'],
  }),
  spec('frame_status', 'Show where you are, what is open, and the goal.', {}),
  spec('recall', 'Find entries of the log by words, or read some by id, word for word.', {
    properties: {
      query: text('Words to look for: names, paths, errors'),
      entry: text('Or an id, like e12 or c3'),
      to: text('Last id of a range'),
      offset: { type: 'integer', description: 'Character of the entry to begin at' },
    },
  }),
  spec('goal_update', 'Add to the goal or change it; what is not named stays.', {
    properties: {
      description: text('The goal itself'),
      status: word('active', 'paused', 'completed'),
      milestones: objects(
        { text: { type: 'string' }, status: word('pending', 'in_progress', 'completed') },
        'text',
      ),
      decisions: objects(
        { text: { type: 'string' }, locked: { type: 'boolean', description: 'For good' } },
        'text',
      ),
      artifacts: objects({ path: { type: 'string' }, change: word('created', 'modified') }, 'path'),
      next: texts('Next steps, instead of the last ones'),
    },
  }),
] as const;

/** The name of one of them. */
export type ToolName = (typeof toolSpecs)[number]['name'];
