import { EngineError, isEngineError, type Session } from '../../index.ts';

/** The error on an entry, with those that the session has. */
export function noEntry({ id, state }: Session, entry: string): EngineError {
  const there = ['no entry yet', 'only e1'][state.entries] ?? `e1 to e${state.entries}`;
  const message = `There is no entry "${entry}"; session "${id}" has ${there}`;
  return new EngineError('ENTRY_NOT_FOUND', message, { detail: { entry, session: id } });
}

/** The error on an id that a session has not, with its name and what it has; any other error as it is. */
export function withWhatIsThere(error: unknown, session: Session): unknown {
  const { id } = session;
  if (isEngineError(error, 'ENTRY_NOT_FOUND')) return noEntry(session, error.detail.entry);
  if (isEngineError(error, 'FRAME_NOT_FOUND'))
    return new EngineError('FRAME_NOT_FOUND', `${error.message} in session "${id}"`, {
      detail: { ...error.detail, session: id },
    });
  if (!isEngineError(error, 'CHECKPOINT_NOT_FOUND')) return error;
  const { compressions, checkpoints } = session.state;
  const ids = checkpoints.map((one) => one.id).join(', ');
  const there =
    compressions === 0
      ? 'has none, as nothing of it was compressed yet'
      : `has ${ids === '' ? 'none' : ids} in its prompt`;
  const message = `There is no checkpoint "${error.detail.checkpoint}"; session "${id}" ${there}`;
  return new EngineError('CHECKPOINT_NOT_FOUND', message, {
    detail: { ...error.detail, session: id },
  });
}
