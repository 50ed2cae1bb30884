/** What a release of Ollama does with a prompt that is too long, and what it tells. */
export interface Release {
  /** Tokens that a cut leaves: about half of the window, or all of it. */
  readonly cut: 'half' | 'whole';
  /** Whether `truncate` and `shift` of a request are heeded. */
  readonly heeds: boolean;
  /** Whether models without a template of Ollama's own are left to llama-server. */
  readonly native: boolean;
  /** Whether `/api/ps` tells the window. */
  readonly tellsWindow: boolean;
  /** Whether `prompt_eval_count` includes tokens found in the prompt cache. */
  readonly countsCached: boolean;
}

/** The habits of a version, such as `0.33.2`; a suffix after `-` counts for nothing. */
export function toRelease(version: string): Release {
  const since = (major: number, minor: number, patch = 0): boolean => {
    const [a = 0, b = 0, c = 0] = version.replace(/-.*/, '').split('.').map(Number);
    return a * 1e6 + b * 1e3 + c >= major * 1e6 + minor * 1e3 + patch;
  };
  return {
    cut: since(0, 30, 11) ? 'half' : 'whole',
    heeds: since(0, 12, 4),
    native: since(0, 30),
    tellsWindow: since(0, 9, 7),
    countsCached: !since(0, 30) || since(0, 30, 1),
  };
}
