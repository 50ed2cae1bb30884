import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aiSdk } from './ai-sdk.ts';
import { langChain } from './langchain.ts';
import { pi } from './pi.ts';
import { logOf, newPlace, type Host } from './host.ts';
import { life, linesOf, sentLines, told, whyRefused } from './life.ts';

// What every adapter promises its host, whatever that is.

const hosts: readonly Host[] = [aiSdk, langChain, pi];

const runs = Number(process.env['CONTRACT_RUNS'] ?? 12);

test.each(hosts)(
  '$name: all that is said is in the log once, in order, byte for byte, and is sent so while there is room',
  async (host) => {
    await fc.assert(
      fc.asyncProperty(life(host), fc.nat(3), async (turns, ends) => {
        const place = await newPlace();
        let seat = await host.begin(place, 100_000);
        const said: string[] = [];
        for (const [at, turn] of turns.entries()) {
          const answers = turn.answers.map(({ text }) => text);
          expect(await seat.take(turn)).toBe(answers.at(-1));
          for (const [step, asked] of seat.asked.slice(-turn.answers.length).entries()) {
            expect(whyRefused(asked)).toEqual([]);
            const before = linesOf({ ...turn, answers: turn.answers.slice(0, step) });
            expect(sentLines(asked)).toEqual([...said, ...before]);
          }
          said.push(...linesOf(turn));
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
