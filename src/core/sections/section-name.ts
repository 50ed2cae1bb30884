/** The parts of an assembly, in their order. */
export const sections = [
  'system',
  'human',
  'chronicle',
  'goal',
  'frames',
  'checkpoints',
  'working',
] as const;

/** A part of an assembly. */
export type Section = (typeof sections)[number];
