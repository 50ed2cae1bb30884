import { fittingTools, frameInstructions, recallInstructions } from '../../../index.ts';

// The tools of the session, and what the system prompt says of them, stand in
// every request. All of them take a fifth of what a prompt may hold in a window of
// eight thousand tokens, and more in a smaller one; there a talk needs the room more
// than it needs frames. What was left out has to be found again in any window.

/** The wish for the session's own tools: as many as are worth their room, all, or none. */
export type OwnWanted = 'fitting' | 'all' | 'none';

/** The set of own tools that a model gets. */
export type OwnTools = 'all' | 'recall' | 'none';

/** The own tools that a model gets in a window of so many tokens. */
export function ownToolsIn(wanted: OwnWanted, window: number): OwnTools {
  if (wanted !== 'fitting') return wanted;
  return fittingTools(window);
}

/** Whether a tool of the session is among those that are told. */
export function isTold(name: string, own: OwnTools): boolean {
  return own === 'all' || (own === 'recall' && name === 'recall');
}

const instructions: Readonly<Record<OwnTools, string>> = {
  all: frameInstructions.trim(),
  recall: recallInstructions.trim(),
  none: '',
};

/** A system prompt, and after it how to work with the tools of the session that are told. */
export function withInstructions(system: string, own: OwnTools): string {
  return [system, instructions[own]].filter((text) => text !== '').join('\n\n');
}

/** A system prompt without what was said of tools after it. */
export function withoutInstructions(system: string): string {
  return Object.values(instructions)
    .reduce((text, said) => text.replace(said, ''), system)
    .trim();
}
