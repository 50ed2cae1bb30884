import { createActor, toPromise, type AnyActorLogic } from 'xstate';
import { expect, test } from 'vitest';
import { compressionMachine, recoveryMachine } from '../../machines/index.ts';

/** What a machine brings itself: it waits, and nobody has to supply it. */
const own = 'pause';

const ports = [compressionMachine, recoveryMachine].flatMap(({ id, implementations }) =>
  Object.entries(implementations.actors)
    .filter(([name]) => name !== own)
    .map(([name, logic]) => [name, id, logic as AnyActorLogic] as const),
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
