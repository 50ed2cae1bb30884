import { argumentsOf, filesOf, textOf, type Message } from './message.ts';
import { providerText } from './provider-message.ts';

/** How much text there is, by what may be counted without a vocabulary. */
export interface TextSizes {
  readonly characters: number;
  /** In UTF-8. */
  readonly bytes: number;
  readonly words: number;
  /** Images and other files beside it. */
  readonly files: number;
}

/** The sizes of what a model reads of messages, the host's own and those of an assembly. */
export function textSizes(
  messages: readonly (Message | { readonly role: 'system'; readonly content: string })[],
): TextSizes {
  const sizes = { characters: 0, bytes: 0, words: 0, files: 0 };
  for (const message of messages) {
    const files = filesOf(message.content);
    sizes.files += files.length;
    if ('provider' in message && message.provider !== undefined) {
      addText(sizes, providerText(message.provider, files));
      continue;
    }
    addText(sizes, textOf(message.content));
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) addText(sizes, `${call.name} ${argumentsOf(call)}`);
  }
  return sizes;
}

const space = 0x20;

/** Adds the sizes of a text. What is no letter of a word is told by its unit: space, a control, or a space of East Asia. */
function addText(sizes: { -readonly [Key in keyof TextSizes]: number }, text: string): void {
  let wasSpace = true;
  sizes.characters += text.length;
  sizes.bytes += text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) sizes.bytes += unit > 0x7ff ? 2 : 1;
    const isSpace = unit <= space || unit === 0xa0 || unit === 0x3000;
    if (wasSpace && !isSpace) sizes.words += 1;
    wasSpace = isSpace;
  }
}
