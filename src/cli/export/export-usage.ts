import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { type SessionWords, common, meant, windowOption } from '../command-line/options.ts';
import type { ExportOptions } from './export.ts';
import { formNames } from './form-name.ts';

const examples = `
  jsonl        what \`import\` plays again, byte for byte (unless told)
  md           a report to read: asked, done, decided and lost; then all of it
  html         the page of \`flamestack view\` as one file, for any browser
  svg          the window over time as a picture, for light and dark
  speedscope   frames, models and tools as flame graphs, by tokens and by time
  trace        the same on a time line for Perfetto and Chrome, and the prompt
  otlp         spans of OpenTelemetry: ids, counts, times; not what was said

All but jsonl go without strings that look like keys, and say how many those
were. What no pattern knows stays: look before you hand it on.

Examples
  flamestack export notes > notes.jsonl
  flamestack export --as html -o notes.html
  flamestack export --as md | less
  flamestack export notes | flamestack import - --id fork   a copy of it
`;

/** Adds `export`. */
export function addExport(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('export')
    .description('Write a session for others: a page, a report, a flame graph, a trace.')
    .argument('[session...]', 'the latest unless told')
    .addOption(new Option('--as <form>', 'jsonl unless told').choices(formNames))
    .option('-o, --out <file>', 'there, whole or not at all; stdout unless told')
    .option('--force', 'replace the file where there is one')
    .option('--no-redact', 'with strings that look like keys')
    .option('--with-content', 'otlp: with what was said, and titles')
    .addOption(windowOption('html: beside it the same session in this window'));

  common(command, examples).action(
    async (said: SessionWords, options: ExportOptions & CommonOptions) => {
      const { exportSession } = await import('./export.ts');
      settle(await exportSession(meant(said), options, call(options)));
    },
  );
}
