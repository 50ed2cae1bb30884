import { EngineError } from '../../../index.ts';

/** A command that cannot be carried out as it was typed. */
export function refused(message: string): EngineError {
  return new EngineError('OPTION_INVALID', message, { detail: { option: 'command' } });
}
