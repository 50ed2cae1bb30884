import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage, AIMessage } from 'langchain';

/** What a model was asked. */
export interface Asked {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly signal?: AbortSignal;
}

/** A chat model of LangChain whose answers a function gives. */
export class ChatModel extends BaseChatModel {
  readonly #respond: (asked: Asked) => Promise<AIMessage> | AIMessage;

  constructor(respond: (asked: Asked) => Promise<AIMessage> | AIMessage) {
    super({ maxRetries: 0 });
    this.#respond = respond;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(tools: readonly unknown[], options?: object): never {
    return this.withConfig({ tools, ...options } as never) as never;
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']) {
    const { tools = [], signal } = options as { tools?: readonly unknown[]; signal?: AbortSignal };
    const { convertToOpenAITool } = await import('@langchain/core/utils/function_calling');
    const specs = tools.map((one) => convertToOpenAITool(one as never));
    const message = await this.#respond({
      messages,
      tools: specs,
      ...(signal && { signal }),
    });
    return { generations: [{ text: message.text, message }] };
  }
}
