import type { ModelFacts } from '../../index.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits, toFailure } from '../call/exit.ts';
import { statusLine } from '../call/status-line.ts';
import { serverOf, type Server, type ServerOptions } from '../chat/model/server.ts';
import { badFinding, tellFinding, type Finding } from './finding.ts';
import { checkNode, checkStore } from './place.ts';
import { checkPrompt } from './prompt.ts';
import { checkAbilities, checkModel, checkServer } from './server.ts';
import { checkSize } from './size.ts';
import { checkWindow } from './window.ts';

/** Options of `doctor` alone. */
export interface DoctorOptions extends ServerOptions {
  readonly model?: string | undefined;
  readonly window?: number | undefined;
  /** Whether the model may be loaded to look at it. */
  readonly load?: boolean | undefined;
}

/** Checks what a chat needs, and says what to fix; gives the exit code. */
export async function doctor(options: DoctorOptions, call: CommandCall): Promise<number> {
  const { signal } = call.io;
  const report: Finding[] = [];
  try {
    for await (const finding of findings(options, call)) {
      report.push(finding);
      tellFinding(finding, call);
    }
  } catch (error) {
    if (signal.aborted) return signal.reason as number;
    throw error;
  }
  const isWell = report.every(({ state }) => state !== 'bad');
  if (call.json) call.emit('flamestack.doctor/1', { well: isWell, findings: report });
  else if (isWell && report.some(({ check }) => check === 'window'))
    call.note('', `All that a chat needs is there: ${chatLine(options)}${storeArgument(call)}`);
  return isWell ? exits.done : exits.check;
}

async function* findings(options: DoctorOptions, call: CommandCall): AsyncGenerator<Finding> {
  const { signal } = call.io;
  yield checkNode(process.versions.node);
  yield await checkStore(call);
  const server = serverOf(options, call.io.env);
  const { finding, names } = await checkServer(server, signal);
  yield finding;
  if (names === null) return;
  const name = nameOf(options, call, names);
  if (name === null) {
    yield unnamed(server, names);
    return;
  }
  const met = await checkModel(server, name, signal);
  yield met.finding;
  if (met.facts === null) return;
  const { window } = options;
  const model = server.model(met.facts.name);
  const prompt = await checkPrompt({
    options: window === undefined ? {} : { window },
    met: { model, facts: met.facts },
    kind: server.kind,
  });
  if (prompt.state === 'bad') yield prompt;
  else yield* looks(server, met.facts, { options, call, prompt });
}

async function* looks(
  server: Server,
  facts: ModelFacts,
  { options, call, prompt }: { options: DoctorOptions; call: CommandCall; prompt: Finding },
): AsyncGenerator<Finding> {
  yield* checkAbilities(facts);
  yield checkSize(facts);
  yield prompt;
  const { signal } = call.io;
  const load = options.load !== false;
  const status = statusLine(call);
  const begun = performance.now();
  const timer = setInterval(() => {
    const passed = Math.floor((performance.now() - begun) / 1_000);
    status.say(() => `loading ${facts.name}, ${passed} s`);
  }, 500);
  try {
    const probe = { window: options.window, load, signal };
    const windowFindings = await checkWindow(server, facts, probe).finally(() => {
      clearInterval(timer);
      status.clear();
    });
    yield* windowFindings;
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, advice } = toFailure(error);
    yield badFinding('window', message, { fix: advice });
  }
}

/** The model that was told, or the only one; null where there are several, or none. */
function nameOf(
  options: DoctorOptions,
  call: CommandCall,
  names: readonly string[],
): string | null {
  const model = options.model ?? (call.io.env['FLAMESTACK_MODEL'] || undefined);
  return model ?? (names.length === 1 ? names[0]! : null);
}

function unnamed({ kind }: Server, names: readonly string[]): Finding {
  const detail = { known: names };
  if (names.length === 0) {
    const fix = kind === 'ollama' ? 'Get one: `ollama pull llama3.2:3b`.' : 'Load one there.';
    return badFinding('model', 'the server has none', { fix, detail });
  }
  const fix = `Name one with --model, or in FLAMESTACK_MODEL: ${names.join(', ')}`;
  return badFinding('model', 'there are several, none is named', { fix, detail });
}

/** The command that begins a chat with what was looked at. */
function chatLine({ model, host, openai, window }: DoctorOptions): string {
  const flags = { model, host, openai: openai === true ? undefined : openai, window };
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quote(String(value))],
  );
  return ['flamestack chat', ...(openai === true ? ['--openai'] : []), ...words].join(' ');
}
