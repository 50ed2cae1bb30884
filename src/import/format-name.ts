/** The session formats that can be read, the surest signs first. */
export const formats: readonly string[] = [
  'flamestack',
  'claude-code',
  'pi',
  'codex',
  'opencode',
  'copilot-cli',
  'gemini-cli',
  'swe-agent',
  'openai',
];
