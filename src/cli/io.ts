/** Where the program writes to: a stream of Node, or a test's. */
export interface Writer {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width and height of the terminal, in cells, if it is one. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** What the program touches of the world outside, files aside. */
export interface Io {
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the person wants out; its reason is the exit code. */
  readonly signal: AbortSignal;
}
