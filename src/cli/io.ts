/** An output stream of Node, or of a test. */
export interface Writer {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width and height of the terminal, in cells, if it is one. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** Hears of a new size of the terminal, where it can. */
  on?(event: 'resize', listener: () => void): unknown;
}

/** An input stream of Node, or of a test. */
export interface Reader extends NodeJS.ReadableStream {
  readonly isTTY?: boolean | undefined;
  /** Has each key at once and as it is, where it is a terminal. */
  setRawMode?(isRaw: boolean): unknown;
}

/** The surroundings of the program, files aside. */
export interface Io {
  readonly stdin: Reader;
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the person wants out; its reason is the exit code. */
  readonly signal: AbortSignal;
}
