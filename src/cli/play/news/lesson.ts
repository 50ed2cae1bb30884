/** The explanations of a tour, each given once; a line of 70 cells each. */
export const lessons = {
  window: 'The bar is the prompt. At the red mark, old turns are compressed.',
  goal: 'Pinned: it stands in every prompt, word for word.',
  milestone: "Markers in the agent's own text, as [CHECKPOINT], move the goal along.",
  frame: 'A frame is one piece of work. Its parent steps aside meanwhile.',
  results: 'Its entries leave the prompt; its results stay, in the frame tree.',
  plan: 'Work to come: a title in the tree, no entries yet.',
  invalidated: 'Out of the prompt at once, but for one line. The log keeps all of it.',
  compression: 'Old turns became a checkpoint, in the prompt only. The log keeps them.',
  chronicle: 'Lines that checkpoints have no room for stand in the chronicle.',
  aging: 'Each new checkpoint halves those before it; the best lines stay.',
  shortened: 'Too long: head and tail stay, with a marker to the whole in the log.',
  cleared: 'Old tool results shrink to a marker that says where to read them.',
  givenUp: 'Its result never came; a stand-in keeps call and result a pair.',
  offloaded: 'What people said long ago is quoted in part; the log has it whole.',
} as const;

/** The name of one explanation. */
export type Lesson = keyof typeof lessons;
