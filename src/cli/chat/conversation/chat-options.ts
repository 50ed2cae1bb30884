import type { ServerOptions } from '../model/server.ts';

/** Options of `chat` alone. */
export interface ChatOptions extends ServerOptions {
  readonly model?: string | undefined;
  readonly window?: number | undefined;
  /** The window of a new session where none is told here. */
  readonly freshWindow?: number | undefined;
  readonly system?: string | undefined;
  readonly summarizer?: 'model' | 'embedded' | undefined;
  readonly tools?: readonly 'files'[] | undefined;
  /** A file that names servers of tools. */
  readonly mcp?: string | undefined;
  readonly yes?: boolean | undefined;
  /** Whether the model gets the tools of the session; as the window allows unless told. */
  readonly frames?: boolean | undefined;
  /** A folder for checkpoint documents, or `off`. */
  readonly documents?: string | undefined;
  readonly think?: boolean | undefined;
  readonly new?: boolean | undefined;
  readonly once?: boolean | undefined;
}
