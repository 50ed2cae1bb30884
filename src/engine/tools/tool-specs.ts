import type { Properties, SchemaValue } from '../../core/values/validation.ts';

// These are part of every request, so each word of them costs tokens again and again.

const text = (description: string) => ({ type: 'string', description }) as const;
const texts = { type: 'array', items: { type: 'string' } } as const;
const word = <const Words extends readonly string[]>(...words: Words) =>
  ({ type: 'string', enum: words }) as const;
const object = <Fields extends Properties, const Names extends readonly string[]>(
  properties: Fields,
  required: Names,
) => ({ type: 'object', properties, required, additionalProperties: false }) as const;
const objects = <Fields extends Properties, const Name extends string>(
  properties: Fields,
  required: Name,
) => ({ type: 'array', items: object(properties, [required]) }) as const;

const frame = text('Id, like f3');
const title = text('2 to 5 words');
const criteria = text('What defines done, verifiable');

const spec = <const Name extends string, Parameters>(
  name: Name,
  description: string,
  parameters: Parameters,
) => ({ name, description, parameters }) as const;

/** The tools of a session as a model is told of them. */
export const toolSpecs = [
  spec(
    'frame_push',
    'Open a subtask of the active frame and enter it.',
    object({ title, criteria }, ['title', 'criteria']),
  ),
  spec(
    'frame_pop',
    'Leave the active frame and return to its parent.',
    object(
      {
        status: word('completed', 'failed', 'blocked'),
        results: text('What was done and verified; if not completed, why'),
        artifacts: { ...texts, description: 'Files made or changed' },
        decisions: texts,
        frame: text('Only to fail a blocked frame: its id'),
        drop: { type: 'boolean', description: 'Drop unfinished children' },
      },
      ['status', 'results'],
    ),
  ),
  spec(
    'frame_plan',
    'Note a subtask to start later.',
    object({ title, criteria, parent: text('Id; the active frame unless told') }, [
      'title',
      'criteria',
    ]),
  ),
  spec(
    'frame_start',
    'Enter a planned or blocked child of the active frame.',
    object({ frame }, ['frame']),
  ),
  spec('frame_edit', 'Change a planned frame.', object({ frame, title, criteria }, ['frame'])),
  spec(
    'frame_invalidate',
    'Close a frame that is no longer needed, and all open below it.',
    object({ frame, reason: text('Why') }, ['frame', 'reason']),
  ),
  spec(
    'frame_retry',
    'Try a failed child of the active frame again, as a new frame.',
    object({ frame }, ['frame']),
  ),
  spec('frame_status', 'Show where you are, what is open, and the goal.', object({}, [])),
  spec(
    'recall',
    'Get back what was said or done earlier, word for word.',
    object({ query: text('Words to find, or ids and ranges to open: e12, e40-e52, c3; or both') }, [
      'query',
    ]),
  ),
  spec(
    'goal_update',
    'Add to the goal or change it; what is not named stays.',
    object(
      {
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
        artifacts: objects(
          { path: { type: 'string' }, change: word('created', 'modified') },
          'path',
        ),
        next: { ...texts, description: 'Next steps, instead of the last ones' },
      },
      [],
    ),
  ),
] as const;

type Spec = (typeof toolSpecs)[number];

/** The name of one of them. */
export type ToolName = Spec['name'];

/** What a model gives one of them. */
export type ToolArguments<Name extends ToolName> = SchemaValue<
  Extract<Spec, { readonly name: Name }>['parameters']
>;

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
