/** What somebody waits at until somebody else opens it. */
export interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
}

/** A gate that is shut. */
export function gate(): Gate {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
