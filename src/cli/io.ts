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

/** A program that shows what is longer than the screen. */
export interface Pager {
  /** Whether the person has left it. */
  readonly isLeft: boolean;
  write(text: string): void;
  /** Resolves when it is left; false where it could not be started. */
  end(): Promise<boolean>;
}

/** The surroundings of the program, files aside. */
export interface Io {
  readonly stdin: Reader;
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The surroundings without what files of settings say, where there are such files. */
  readonly processEnv?: Io['env'] | undefined;
  /** Starts a pager; left out where nothing can have the terminal. */
  readonly startPager?: ((command: string) => Pager) | undefined;
  /** Aborts when the person wants out; its reason is the exit code. */
  readonly signal: AbortSignal;
}
