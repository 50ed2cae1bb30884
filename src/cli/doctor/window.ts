import { countTokens, openStore, type ModelFacts } from '../../index.ts';
import { fittingWindow } from '../chat/model/fitting-window.ts';
import type { Server } from '../chat/model/server.ts';
import { number } from '../paper/size.ts';
import { goodFinding, oddFinding, type Finding } from './finding.ts';

/** Text of the kind that a session holds, whose tokens are compared. */
const probeText = Array.from(
  { length: 12 },
  (_, index) =>
    `${index + 1}. The parser in src/parser-${index}.ts reads a line, drops what it cannot use, and says so:\n` +
    `   const found = /^(\\w+)=(.*)$/.exec(line); if (found === null) return { skipped: ${index * 17} };\n`,
).join('');

/** Tokens of an empty message, by our count. */
const messageTokens = 4;

/** Ratios of the server's count to ours beyond which something is wrong. */
const plausibleRatio = { least: 0.5, most: 2.5 } as const;

/** The server's numbers for a probe. */
interface ProbeResult {
  /** The window in force, in tokens; null where it does not say. */
  readonly window: number | null;
  /** The tokens of the probe by its count; null where it does not say. */
  readonly inputTokens: number | null;
}

/** The windows of a model, and how its server counts; asks it for a token unless `load` is false. */
export async function checkWindow(
  server: Server,
  facts: ModelFacts,
  options: { window: number | undefined; load: boolean; signal: AbortSignal },
): Promise<readonly Finding[]> {
  const asked = options.window ?? fittingWindow(facts, server.kind);
  if (!options.load) return [windowFinding(facts, asked, facts.loaded)];
  const probed = await probeWith(server, facts.name, { window: asked, signal: options.signal });
  return [
    windowFinding(facts, asked, probed.window ?? facts.loaded),
    countFinding((await countTokens(probeText)) + messageTokens, probed.inputTokens),
  ];
}

function windowFinding(facts: ModelFacts, asked: number, inForce: number | null): Finding {
  const { trained, configured } = facts;
  const parts = [
    `trained for ${trained === null ? 'an unknown number' : number(trained)}`,
    ...(configured === null ? [] : [`set up with ${number(configured)}`]),
    inForce === null ? 'not loaded' : `${number(inForce)} in force`,
  ];
  const text = `${number(asked)} for a chat: ${parts.join(', ')}`;
  const detail = { asked, trained, configured, inForce };
  if (inForce !== null && inForce < asked) {
    const fix = `The server gives less than that: use --window ${inForce}, or free memory for it.`;
    return oddFinding('window', text, { fix, detail });
  }
  if (trained !== null && asked > trained)
    return oddFinding('window', text, { fix: `Use --window ${trained} at most.`, detail });
  return goodFinding('window', text, detail);
}

function countFinding(ours: number, inputTokens: number | null): Finding {
  if (inputTokens === null)
    return oddFinding('count', 'the server does not say how many tokens a prompt has', {
      fix: 'Numbers stay estimates, and the window is used with a margin.',
      detail: { ours, theirs: null },
    });
  const ratio = inputTokens / ours;
  const detail = { ours, theirs: inputTokens, ratio };
  const text = `${number(inputTokens)} tokens where we count ${number(ours)}: ratio ${ratio.toFixed(2)}`;
  if (ratio >= plausibleRatio.least && ratio <= plausibleRatio.most)
    return goodFinding('count', text, detail);
  const fix =
    ratio < plausibleRatio.least
      ? 'Does it cut prompts, or count only what it had not cached?'
      : 'Its tokenizer is unlike ours; the session learns the ratio from the first answers.';
  return oddFinding('count', text, { fix, detail });
}

async function probeWith(
  server: Server,
  name: string,
  { window, signal }: { window: number; signal: AbortSignal },
): Promise<ProbeResult> {
  if (server.load !== null) return server.load(name, { window, text: probeText, signal });
  await using store = await openStore(':memory:');
  const session = await store.open('probe', { window, reserve: messageTokens });
  await session.append({ role: 'user', content: probeText });
  const assembly = await session.assemble({ signal });
  const { usage } = await server.model(name).reply({ assembly }, { signal });
  return { window: null, inputTokens: usage.inputTokens ?? null };
}
