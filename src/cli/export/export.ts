import { EngineError } from '../../names.ts';
import type { CommandCall } from '../call/call.ts';
import type { OutOptions } from '../call/out-file.ts';
import { cleanLine, toJson } from '../paper/clean.ts';
import { many, size } from '../paper/size.ts';
import { newLeftOut } from '../sessions/left-out.ts';
import { latestFirst } from '../sessions/pick.ts';
import { chooseSession } from '../sessions/choose-session.ts';
import { readStore } from '../sessions/with-session.ts';
import { destinationOf } from './destination.ts';
import type { Exporting } from './exporting.ts';
import type { FormName } from './form-name.ts';
import { otlpOf } from './forms/otlp.ts';
import { pageOfSession } from './forms/page.ts';
import { pictureOf } from './forms/picture.ts';
import { reportOf } from './forms/report.ts';
import { scriptLines } from './forms/script.ts';
import { speedscopeOf } from './forms/speedscope.ts';
import { traceOf } from './forms/trace.ts';
import { countOf, newSecrets, noSecrets, type FoundSecrets } from '../secrets/secrets.ts';

/** Options of `export` alone. */
export interface ExportOptions extends OutOptions {
  readonly as?: FormName | undefined;
  /** Whether key-like strings are taken out; so they are unless told. */
  readonly redact?: boolean | undefined;
  readonly withContent?: boolean | undefined;
  /** Another window that a page shows beside its own, in tokens. */
  readonly window?: number | undefined;
}

/** Makes the text of a session in a form, piece by piece. */
type Form = (exporting: Exporting) => AsyncIterable<string>;

const forms: Readonly<Record<FormName, Form>> = {
  jsonl: scriptLines,
  md: reportOf,
  html: pageOfSession,
  speedscope: speedscopeOf,
  trace: traceOf,
  otlp: otlpOf,
  svg: pictureOf,
};

/** Writes a session in a form for others, to stdout or a file; gives the exit code. */
export async function exportSession(
  said: string | undefined,
  options: ExportOptions,
  call: CommandCall,
): Promise<number> {
  const { as: form = 'jsonl', redact = true, withContent = false, window } = options;
  if (window !== undefined && form !== 'html')
    throw new EngineError('OPTION_INVALID', `--window is for --as html, not for ${form}`, {
      detail: { option: 'window', value: window },
    });
  const destination = destinationOf(options, call);
  return readStore(call, async (store) => {
    const { id } = await chooseSession(await latestFirst(store), said, call);
    await using session = await store.open(id);
    const leftOut = newLeftOut(call);
    const secrets = redact && form !== 'jsonl' ? newSecrets() : noSecrets;
    const remarks: string[] = [];
    const remark = (text: string): void => void remarks.push(text);
    const exporting = { call, store, session, secrets, leftOut, withContent, window, remark };
    const bytes = await destination.write(forms[form](exporting));
    const { file } = destination;
    const redacted = secrets.found();
    if (call.json) {
      const result = { session: session.id, form, file, bytes, redacted, remarks };
      const document = toJson({ schema: 'flamestack.export/1', ...result });
      if (file !== null) call.io.stdout.write(`${document}\n`);
      else if (form !== 'jsonl') call.io.stderr.write(`${document}\n`);
    } else {
      if (file !== null) call.print(`${cleanLine(file)}: ${size(bytes)}`);
      call.note(...remarks, ...(form === 'jsonl' || !redact ? [] : [redactedText(redacted)]));
    }
    return leftOut.settle(session.id);
  });
}

/** What was taken out, in a line. */
function redactedText(secretKinds: readonly FoundSecrets[]): string {
  const all = countOf(secretKinds);
  if (all === 0) return 'No key-like string was found in it; look for those that no pattern knows.';
  const kinds = secretKinds.map(({ kind, count }) => (count === 1 ? kind : `${kind} ×${count}`));
  return `${many(all, 'key-like string')} redacted (${kinds.join(', ')}); --no-redact leaves them`;
}
