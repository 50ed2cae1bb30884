import type { MatcherResult } from 'vitest';
import type { Assembly } from '../../core/assembly/assembly.ts';
import type { Session } from '../../engine/session/session.ts';
import { missingTexts, whyUnfit } from '../assembly-checks.ts';
import type { Harness } from '../harness/step.ts';

/** A prompt, or who can make one. */
type Shown = Assembly | Session | Harness;

type Verdict = Awaited<MatcherResult>;

/** Matchers for `expect.extend`; all answer with a promise. */
export const matchers = {
  /** The prompt fits its limit, or a smaller one in tokens. */
  async toFit(shown: Shown, most?: number): Promise<Verdict> {
    const faults = whyUnfit(await assemblyOf(shown), most);
    return verdict(faults, { should: 'The prompt should fit', is: 'The prompt fits' });
  },
  /** The prompt shows each of these texts. */
  async toKeep(shown: Shown, ...texts: readonly string[]): Promise<Verdict> {
    const missing = missingTexts(await assemblyOf(shown), texts);
    const names = texts.map((text) => JSON.stringify(text)).join(', ');
    const faults = missing.map((text) => `${JSON.stringify(text)} is not in it`);
    return verdict(faults, {
      should: `The prompt should show ${names}`,
      is: `The prompt shows ${names}`,
    });
  },
  /** Every law of the engine holds of what was done with a harness. */
  async toHoldLaws(it: Harness): Promise<Verdict> {
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

async function assemblyOf(shown: Shown): Promise<Assembly> {
  if ('messages' in shown) return shown;
  return 'clock' in shown
    ? shown.clock.until(shown.session.assemble({ tools: 'same' }))
    : shown.assemble({ tools: 'same' });
}

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
