import { quote, storeArgument, type Call } from '../call.ts';
import type { ChatOptions } from './options.ts';

/** The command that goes on with a session, with what was told and is not kept with it. */
export function resumeLine(session: string, options: ChatOptions, call: Call): string {
  const { host, openai, tools, frames } = options;
  const words = [
    ...(host === undefined ? [] : ['--host', quote(host)]),
    ...(openai === undefined ? [] : ['--openai', ...(openai === true ? [] : [quote(openai)])]),
    ...(tools === undefined ? [] : ['--tools', tools.join(',')]),
    ...(frames === undefined ? [] : [frames ? '--frames' : '--no-frames']),
  ].map((word) => ` ${word}`);
  return `flamestack chat ${quote(session)}${words.join('')}${storeArgument(call)}`;
}
