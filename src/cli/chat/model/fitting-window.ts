import type { ModelFacts } from '../../../index.ts';
import { usualWindow } from '../../command-line/window.ts';
import type { Server } from './server.ts';

/**
 * The window for a new session where nobody told one, in tokens: what the
 * model is set up with; what a server that cannot be asked for another one has
 * in force; else 8,192, or less if the model was trained for less.
 */
export function fittingWindow(facts: ModelFacts, kind: Server['kind']): number {
  const { configured, loaded, trained } = facts;
  if (configured !== null) return configured;
  if (kind === 'openai' && loaded !== null) return loaded;
  return Math.min(trained ?? usualWindow, usualWindow);
}
