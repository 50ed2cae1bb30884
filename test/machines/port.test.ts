import { createActor, toPromise, type AnyActorLogic } from 'xstate';
import { expect, test } from 'vitest';
import { compressionMachine, recoveryMachine } from '../../machines/index.ts';

const ports = [compressionMachine, recoveryMachine].flatMap(({ id, implementations }) =>
  Object.entries(implementations.actors).map(
    ([name, logic]) => [name, id, logic as AnyActorLogic] as const,
  ),
);

test.each(ports)(
  'port %s of the %s machine says its name where it has no body',
  async (name, _, logic) => {
    const actor = createActor(logic);
    const end = toPromise(actor);
    actor.start();
    await expect(end).rejects.toThrow(`Port "${name}" has no body`);
  },
);
