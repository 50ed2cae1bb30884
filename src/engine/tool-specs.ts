import type { Properties, Taken } from '../core/argument.ts';

// These stand in every request, so each word of them costs tokens for good.

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

/** The tools of a session as a model is told of them. */
export const toolSpecs = [
  {
    name: 'frame_push',
    description: 'Open a subtask of the active frame and enter it.',
    parameters: object({ title, criteria }, ['title', 'criteria']),
  },
  {
    name: 'frame_pop',
    description: 'Leave the active frame and return to its parent.',
    parameters: object(
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
  },
  {
    name: 'frame_plan',
    description: 'Note a subtask to start later.',
    parameters: object({ title, criteria, parent: text('Id; the active frame unless told') }, [
      'title',
      'criteria',
    ]),
  },
  {
    name: 'frame_start',
    description: 'Enter a planned or blocked child of the active frame.',
    parameters: object({ frame }, ['frame']),
  },
  {
    name: 'frame_edit',
    description: 'Change a planned frame.',
    parameters: object({ frame, title, criteria }, ['frame']),
  },
  {
    name: 'frame_invalidate',
    description: 'Close a frame that is no longer needed, and all open below it.',
    parameters: object({ frame, reason: text('Why') }, ['frame', 'reason']),
  },
  {
    name: 'frame_retry',
    description: 'Try a failed child of the active frame again, as a new frame.',
    parameters: object({ frame }, ['frame']),
  },
  {
    name: 'frame_status',
    description: 'Show where you are, what is open, and the goal.',
    parameters: object({}, []),
  },
  {
    name: 'recall',
    description: 'Find entries of the log by words, or read some by id, word for word.',
    parameters: object(
      {
        query: text('Words to look for: names, paths, errors'),
        entry: text('Or an id, like e12 or c3'),
        to: text('Last id of a range'),
        offset: { type: 'integer', description: 'Character of the entry to begin at' },
      },
      [],
    ),
  },
  {
    name: 'goal_update',
    description: 'Add to the goal or change it; what is not named stays.',
    parameters: object(
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
  },
] as const;

type Spec = (typeof toolSpecs)[number];

/** The name of one of them. */
export type ToolName = Spec['name'];

/** What a model gives one of them. */
export type ToolArguments<Name extends ToolName> = Taken<
  Extract<Spec, { readonly name: Name }>['parameters']
>;
