import { rm } from 'node:fs/promises';
import { registerFauxProvider, type FauxResponseStep, type Message } from '@mariozechner/pi-ai';
import {
  AuthStorage,
  createAgentSession,
  DefaultResourceLoader,
  ModelRegistry,
  SessionManager,
  SettingsManager,
  type AgentSession,
  type ExtensionFactory,
} from '@mariozechner/pi-coding-agent';
import { onTestFinished, vi } from 'vitest';
import { newFolder } from '../../store/folder.ts';

/** pi in this process, with a scripted model: what it was sent, call by call. */
export interface Pi {
  readonly session: AgentSession;
  readonly folder: string;
  /** The messages of each request, without the system prompt. */
  readonly sent: (readonly Message[])[];
  /** What the user was told. */
  readonly notices: string[];
  readonly status: Map<string, string | undefined>;
  answer(...steps: FauxResponseStep[]): void;
  /** Asks, and waits for what comes of the answer: pi tells its extensions, and compacts, after its own `prompt` ended. */
  prompt(text: string): Promise<void>;
  /** Ends pi as a person does. */
  quit(): Promise<void>;
}

export interface PiGiven {
  readonly extension: ExtensionFactory;
  readonly window?: number;
  /** A folder that is there already; a new one unless told. */
  readonly folder?: string;
  /** The session of the folder that was the last one goes on; a new one unless told. */
  readonly goesOn?: boolean;
}

/** Starts pi with an extension. */
export async function startPi({
  extension,
  window = 32_000,
  folder: given,
  goesOn = false,
}: PiGiven): Promise<Pi> {
  const folder = given ?? (await newFolder());
  const faux = registerFauxProvider({
    models: [{ id: 'scripted', contextWindow: window, maxTokens: 500 }],
  });
  const model = faux.getModel();
  const settingsManager = SettingsManager.inMemory({
    compaction: { keepRecentTokens: 5, reserveTokens: 500 },
    retry: { enabled: false },
  });
  const resourceLoader = new DefaultResourceLoader({
    cwd: folder,
    agentDir: folder,
    settingsManager,
    extensionFactories: [extension],
    noExtensions: true,
    noSkills: true,
    noPromptTemplates: true,
    noThemes: true,
  });
  await resourceLoader.reload();
  const authStorage = AuthStorage.inMemory({});
  authStorage.setRuntimeApiKey(model.provider, 'none');
  // Not in the project, where they would count as files of the work.
  const sessions = `${folder}-sessions`;
  onTestFinished(() => rm(sessions, { recursive: true, force: true }));
  const { session } = await createAgentSession({
    cwd: folder,
    agentDir: folder,
    model,
    sessionManager: goesOn
      ? SessionManager.continueRecent(folder, sessions)
      : SessionManager.create(folder, sessions),
    settingsManager,
    resourceLoader,
    authStorage,
    modelRegistry: ModelRegistry.inMemory(authStorage),
  });
  const notices: string[] = [];
  const status = new Map<string, string | undefined>();
  await session.bindExtensions({
    uiContext: {
      notify: (text: string) => void notices.push(text),
      setStatus: (key: string, text: string | undefined) => void status.set(key, text),
    } as never,
  });
  const sent: (readonly Message[])[] = [];
  const pi: Pi = {
    session,
    folder,
    sent,
    notices,
    status,
    quit: async () => {
      await session.extensionRunner.emit({ type: 'session_shutdown', reason: 'quit' });
    },
    prompt: async (text) => {
      const ended = new Promise<void>((resolve) => {
        const stop = session.subscribe(({ type }) => {
          if (type !== 'agent_end') return;
          stop();
          resolve();
        });
      });
      await session.prompt(text);
      // A command is no run of the agent.
      if (!text.startsWith('/')) await ended;
      await vi.waitUntil(() => !session.isCompacting, 30_000);
    },
    answer: (...steps) =>
      faux.setResponses(
        steps.map((step): FauxResponseStep => async (context, ...rest) => {
          sent.push(structuredClone(context.messages));
          return typeof step === 'function' ? step(context, ...rest) : step;
        }),
      ),
  };
  onTestFinished(() => {
    session.dispose();
    faux.unregister();
  });
  return pi;
}

/** The text of a message that a model was sent. */
export function textOf(message: Message): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return content.map((block) => ('text' in block ? block.text : `[${block.type}]`)).join('\n');
}
