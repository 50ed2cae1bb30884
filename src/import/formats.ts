import { fail } from '../core/values/error.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { codex } from './codex/codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { detect, headOf } from './detect.ts';
import { flamestack } from './flamestack.ts';
import { formats } from './format-name.ts';
import { geminiCli } from './gemini-cli/gemini-cli.ts';
import { openai } from './openai.ts';
import { opencode } from './opencode/opencode.ts';
import { pi } from './pi.ts';
import type { Importer, Source } from './source/step.ts';
import { sweAgent } from './swe-agent.ts';

/** An importer for each name of `formats`, in their order. */
export const importers: readonly Importer[] = [
  flamestack,
  claudeCode,
  pi,
  codex,
  opencode,
  copilotCli,
  geminiCli,
  sweAgent,
  openai,
];

/**
 * The importer of `format`, or the one that fits the content. Throws
 * `IMPORT_EMPTY`, and `IMPORT_FORMAT_UNKNOWN` for content that fits none and
 * for a format that there is not.
 */
export async function importerOf(
  source: Source,
  format?: string,
  signal?: AbortSignal,
): Promise<Importer> {
  if (format === undefined) return detect(source, importers, signal);
  const named = importers.find((importer) => importer.format === format);
  if (named === undefined)
    throw fail(
      'IMPORT_FORMAT_UNKNOWN',
      `Unknown session format "${format}"; there are ${formats.join(', ')}`,
      { format, formats },
    );
  await headOf(source, signal);
  return named;
}
