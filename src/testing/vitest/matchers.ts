import type { MatcherResult } from 'vitest';
import type { Assembly } from '../../core/assembly/assembly.ts';
import { readableValue } from '../../core/values/validation.ts';
import type { Session } from '../../engine/session/session.ts';
import { missingTexts, whyUnfit } from '../assembly-checks.ts';
import type { Harness } from '../harness/step.ts';

/** A prompt, or who can make one. */
type Shown = Assembly | Session | Harness;

type Verdict = Awaited<MatcherResult>;

/** Matchers for `expect.extend`; all answer with a promise. */
export const matchers = {
  /** The prompt fits its limit, or a smaller one in tokens. */
  async toFit(given: Shown, most?: number): Promise<Verdict> {
    const faults = whyUnfit(await assemblyOf('toFit', given), most);
    return verdict(faults, { should: 'The prompt should fit', is: 'The prompt fits' });
  },
  /** The prompt shows each of these texts. */
  async toKeep(given: Shown, ...texts: readonly string[]): Promise<Verdict> {
    if (texts.length === 0 || texts.some((text) => typeof text !== 'string' || text === ''))
      throw new TypeError(
        'toKeep() takes the texts that the prompt should show, none of them empty',
      );
    const missing = missingTexts(await assemblyOf('toKeep', given), texts);
    const names = texts.map((text) => JSON.stringify(text)).join(', ');
    const faults = missing.map((text) => `${JSON.stringify(text)} is not in it`);
    return verdict(faults, {
      should: `The prompt should show ${names}`,
      is: `The prompt shows ${names}`,
    });
  },
  /** Every law of the engine holds of what was done with a harness. */
  async toHoldLaws(it: Harness): Promise<Verdict> {
    if (!isHarness(it))
      throw new TypeError(
        `toHoldLaws() takes a harness, which saw all that was done, and not ${excerptOf(it)}`,
      );
    const faults = (await it.laws()).map(({ law, what }) => `${law}: ${what}`);
    return verdict(faults, { should: 'Every law should hold', is: 'Every law holds' });
  },
};

function verdict(
  faults: readonly string[],
  { should, is }: { should: string; is: string },
): Verdict {
  const pass = faults.length === 0;
  return { pass, message: () => (pass ? is : [should, ...faults].join('\n  ')) };
}

async function assemblyOf(matcher: string, given: Shown): Promise<Assembly> {
  if (isHarness(given)) return given.clock.until(given.session.assemble({ tools: 'same' }));
  const { messages, budget, assemble } = Object(given) as Partial<Assembly & Session>;
  if (messages !== undefined && budget !== undefined) return given as Assembly;
  if (typeof assemble === 'function') return (given as Session).assemble({ tools: 'same' });
  throw new TypeError(
    `${matcher}() takes an assembly, a session or a harness, and not ${excerptOf(given)}`,
  );
}

const isHarness = (given: unknown): given is Harness =>
  typeof (Object(given) as Partial<Harness>).laws === 'function';

const excerptOf = (given: unknown): string => readableValue(given).slice(0, 60);

declare module 'vitest' {
  // eslint-disable-next-line typescript/no-explicit-any -- as vitest declares it
  interface Matchers<T = any> {
    /** The prompt of an assembly, session or harness fits its limit, or a smaller one in tokens. */
    toFit(most?: number): Promise<void>;
    /** It shows each of these texts. */
    toKeep(...texts: readonly string[]): Promise<void>;
    /** Every law of the engine holds of what was done with a harness. */
    toHoldLaws(): Promise<void>;
  }
}
