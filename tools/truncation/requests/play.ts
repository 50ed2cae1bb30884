import { openStore, type Message } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';
import { between, pick, type Random, randomOf } from '../../random.ts';
import { request, type Request } from './request.ts';
import type { Turn } from '../real.ts';
import { serve, type Setup } from './server.ts';
import { textOf } from '../text.ts';
import { turnOf } from '../turn.ts';

/** Windows that sessions think they have, and that their servers have in truth, in tokens. */
const windows = { ours: [8_192, 16_384], theirs: [2_048, 4_096, 8_192] } as const;

/** Share of turns with one message that is longer than the server's window. */
const giants = 0.06;

/** How a session is played. */
export interface Play {
  readonly setup: Setup;
  readonly seed: number;
  /** Those of a real session; made ones unless given. */
  readonly turns?: readonly Turn[];
}

/** The requests of one session whose server has a smaller window than it thinks, and which waits for a person to confirm. */
export async function playCut({ setup, seed, turns }: Play): Promise<readonly Request[]> {
  const random = randomOf(seed);
  const window = pick(random, windows.ours);
  const theirs = Math.min(window, pick(random, windows.theirs));
  const shrinksAt = setup.late ? between(random, 4, 30) : 0;
  await using served = await serve(setup, window, random);
  await using store = await openStore(':memory:');
  const session = await store.open('s', {
    window,
    system: prose(40),
    model: 'm',
    recovery: 'confirm',
  });
  const requests: Request[] = [];
  let turn = 0;
  for (const { messages, answer } of turns ?? madeTurns(random, theirs)) {
    if (turn === shrinksAt) served.shrink(theirs);
    turn += 1;
    await session.append(messages);
    requests.push(await request(session, served, { ...setup, answer }));
  }
  return requests;
}

function* madeTurns(random: Random, window: number): Generator<Turn> {
  for (let n = 0; n < 40; n += 1) {
    const giant: Message = { role: 'user', content: prose(window + 300, n) };
    yield { messages: [...turnOf(random, n), ...(random() < giants ? [giant] : [])] };
  }
}

/** The requests of one session that its server never cuts, with frames pushed and popped. */
export async function playWhole({ setup, seed, turns }: Play): Promise<readonly Request[]> {
  const random = randomOf(seed);
  const window = pick(random, [4_096, 8_192, 16_384]);
  const own = { ...setup, ...habitsOf(random) };
  await using served = await serve(own, Math.ceil(window * 1.25), random);
  await using store = await openStore(':memory:');
  const named = random() < 0.7 ? { model: 'm' } : {};
  const session = await store.open('s', { window, system: prose(40), ...named });
  const requests: Request[] = [];
  const made = Array.from({ length: between(random, 8, 38) }, (_, n) => turnOf(random, n));
  for (const { messages, answer } of turns ?? made.map((messages): Turn => ({ messages }))) {
    await session.append(messages);
    requests.push(await request(session, served, { ...own, answer }));
    const chance = random();
    if (chance < 0.08) await session.push({ title: 'A part of it', criteria: 'done' });
    else if (chance < 0.16 && session.state.active !== 'f0')
      await session.pop({ status: 'completed', results: textOf(random) });
  }
  return requests;
}

const releases = ['0.12.3', '0.15.4', '0.30.10', '0.30.11', '0.33.2'] as const;

/** Another release, another renderer, and now and then no count. */
function habitsOf(random: Random): Pick<Setup, 'release' | 'mode' | 'silent' | 'looks'> {
  return {
    release: pick(random, releases),
    mode: pick(random, ['rendered', 'native'] as const),
    silent: pick(random, [0, 0, 0.5]),
    looks: random() < 0.5,
  };
}
