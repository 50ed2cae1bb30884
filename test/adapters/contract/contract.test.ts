import { rm, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../draws.ts';
import { countTokens, type Store } from '../../../src/index.ts';
import { aiSdk } from './ai-sdk.ts';
import { claudeCode, codex } from './hooks.ts';
import {
  folderOf,
  logOf,
  newPlace,
  storeOf,
  type Host,
  type Place,
  type Sent,
  type Turn,
} from './host.ts';
import { langChain } from './langchain.ts';
import { life, linesOf, sentLines, signedIn, told, whyRefused } from './life.ts';
import { mcp } from './mcp.ts';
import { openaiAgents } from './openai-agents.ts';
import { openCode } from './opencode.ts';
import { pi } from './pi.ts';

// What every adapter promises its host, whatever that is: nothing is lost, nothing is said twice, what goes back
// is well formed and fits, and what goes wrong with us is no matter of the host's.

const hosts: readonly Host[] = [
  ...aiSdk,
  langChain,
  openaiAgents,
  openCode,
  pi,
  claudeCode,
  codex,
  mcp,
];

const runs = Number(process.env['CONTRACT_RUNS'] ?? draws(6));

test.each(hosts)(
  '$name: all that is said is in the log once, in order, byte for byte, and is sent so while there is room',
  async (host) => {
    await fc.assert(
      fc.asyncProperty(life(host), fc.nat(3), async (turns, ends) => {
        const place = await newPlace();
        let seat = await host.begin(place, 100_000);
        const [said, signed]: [string[], string[]] = [[], []];
        for (const [at, turn] of turns.entries()) {
          expect(await seat.take(turn)).toBe(turn.answers.at(-1)!.text);
          for (const [step, asked] of seat.asked.slice(-turn.answers.length).entries()) {
            expect(whyRefused(asked)).toEqual([]);
            const before = { ...turn, answers: turn.answers.slice(0, step) };
            expect(sentLines(asked)).toEqual([...said, ...linesOf(before, host)]);
            expect(asked.flatMap((one) => one.signed)).toEqual([...signed, ...signedIn(before)]);
          }
          said.push(...linesOf(turn, host));
          signed.push(...signedIn(turn));
          if (at % 4 !== ends) continue;
          await seat.quit();
          expect(told(await logOf(host, place))).toEqual(said);
          seat = await host.begin(place, 100_000);
        }
        await seat.quit();
        expect(told(await logOf(host, place))).toEqual(said);
      }),
      { numRuns: runs },
    );
  },
);

const long = 'The ledger holds what was written there, and nothing else. '.repeat(25);

/** A turn of two calls with long results; that of turn 9 has no room in a small window. */
const turnOf = (n: number, refusal: Turn['refusal'] = 'none'): Turn => ({
  said: `Part ${n} is for number ${n * 7919}.`,
  image: false,
  refusal,
  answers: [
    {
      text: '',
      thought: '',
      calls: [0, 1].map((at) => ({
        id: `c_${n}_${at}`,
        result: `${n}.${at} ${long.repeat(n === 9 ? 30 : 1)}`,
      })),
    },
    { text: `Part ${n} is done.`, thought: '', calls: [] },
  ],
});

test.each(hosts)(
  '$name: in a window that is too small for its life each prompt fits, is well formed, and has what was asked last',
  async (host) => {
    const [place, window] = [await newPlace(), 8_000];
    let seat = await host.begin(place, window);
    const said: string[] = [];
    for (let n = 0; n < 14; n += 1) {
      const refusal = n === 5 && host.can.refusal === true ? 'too long' : 'none';
      // What is shown with a prompt that is refused is not shown again by every host.
      const image = refusal !== 'none' && host.can.image === true;
      const turn = { ...turnOf(n, refusal), image };
      await seat.take(turn);
      said.push(...linesOf(turn, host));
      for (const asked of seat.asked.slice(-2)) {
        expect(whyRefused(asked)).toEqual([]);
        expect(await tokensOf(asked)).toBeLessThan(window);
        expect(asked.some(({ text }) => text.includes(turn.said))).toBe(true);
      }
      if (n !== 7) continue;
      await seat.quit();
      seat = await host.begin(place, window);
    }
    await seat.quit();
    expect(told(await logOf(host, place))).toEqual(said);
  },
);

const tokensOf = (sent: readonly Sent[]): Promise<number> =>
  countTokens(sent.map(({ text }) => text).join('\n'));

/** What goes wrong with us, and how it ends; what is `final` never does. */
interface Fault {
  readonly name: string;
  readonly store: Host['store'];
  readonly final?: true;
  /** Whether each request waits for it: then one turn is enough. */
  readonly waits?: true;
  begin(place: Place): Promise<(() => Promise<void>) | void>;
}

const faults: readonly Fault[] = [
  {
    name: 'the disk is full',
    store: 'given',
    async begin({ driver }) {
      driver.fail({ at: driver.attempts, mode: 'before' });
    },
  },
  {
    name: 'the store was closed',
    store: 'given',
    async begin({ memory }) {
      await (memory.get('store') as Store).close();
    },
  },
  {
    name: 'another process has the store',
    store: 'folder',
    waits: true,
    async begin(place) {
      const other = await storeOf({ store: 'folder' }, place);
      return () => other.close();
    },
  },
  {
    name: 'the store is damaged',
    store: 'folder',
    final: true,
    async begin(place) {
      const folder = folderOf(place);
      for (const file of await readdir(folder).catch(() => []))
        if (/CURRENT|MANIFEST|\.(log|ldb)$/.test(file)) await writeFile(join(folder, file), 'x');
    },
  },
  {
    name: 'a file stands where the store was',
    store: 'folder',
    final: true,
    async begin(place) {
      await rm(folderOf(place), { recursive: true, maxRetries: 10 });
      await writeFile(folderOf(place), 'x');
    },
  },
];

/** How long a host may be held up by us in a turn, in milliseconds. */
const patience = 15_000;

test.each(
  hosts.flatMap((host) =>
    faults.filter(({ store }) => store === host.store).map((fault) => ({ ...fault, host, fault })),
  ),
)('$host.name goes on where $name', async ({ host, fault }) => {
  const place = await newPlace();
  let seat = await host.begin(place, 32_000);
  await seat.take(turnOf(0));
  if (host.store === 'folder') await seat.quit();
  const end = await fault.begin(place);
  if (host.store === 'folder') seat = await host.begin(place, 32_000);
  const turns = fault.waits === true ? [1] : [1, 2];
  for (const n of turns) {
    const began = performance.now();
    expect(await seat.take(turnOf(n))).toBe(`Part ${n} is done.`);
    expect(performance.now() - began).toBeLessThan(patience);
    for (const asked of seat.asked) {
      expect(whyRefused(asked)).toEqual([]);
    }
    expect(JSON.stringify(seat.asked.at(-1) ?? turnOf(n).said)).toContain(turnOf(n).said);
  }
  await seat.quit();
  await end?.();
  if (fault.final === true) return;
  seat = await host.begin(place, 32_000);
  await seat.take(turnOf(3));
  await seat.quit();
  const said = [0, ...turns, 3].flatMap((n) => linesOf(turnOf(n), host));
  expect(told(await logOf(host, place))).toEqual(said);
});
