// What a host puts before the model of how work is to be done: rules of the project, a skill, and what it remembers of a person.

/** How a host begins what it read in the files that tell agents how to work on a project, and a rule of such a file that was broken. */
export const projectRules: RegExp =
  /^(?:# AGENTS\.md instructions\b[^\n]{0,400}\s{1,40}<INSTRUCTIONS>|\s{0,40}<system_reminder>\s{1,40}Custom instructions from [^\n]{1,400}\n|<system-interrupt reason="rule_violation"[^\n]{0,600}>[^]{0,400}?\bMUST comply:\n)/;

/** How a host begins what it read in a skill that was called for. */
const calledSkill =
  /^\s*(?:<skill-context\b[^<>\n]{0,200}>\s{0,40})?(?:Base directory for this skill: [^\n]{0,300}?([^\n\\/]{1,60})[\\/]?\n|<skill>\s*<name>([^<\n]{1,60})<\/name>)/;

/** What a host remembers of what a person prefers, in the memory that it puts before a session. */
const preferences = /^## Memory\n[^]*?\n## User preferences\n([^]*?)(?=\n#{1,2} |\n=====|$)/;

/** What a host puts before the model of how work is to be done. */
export interface HostRules {
  readonly text: string;
  /** The files of a project; one rule of them, which was broken; a skill that was called for; or what the host remembers of a person. */
  readonly kind: 'project' | 'broken' | 'skill' | 'memory';
  /** The name of the skill; '' for others. */
  readonly skill: string;
}

/** The rules in a message of a host; null for another message. */
export function hostRulesIn(text: string): HostRules | null {
  const [called, folder, named] = calledSkill.exec(text) ?? [];
  if (called !== undefined)
    return { text: text.slice(called.length), kind: 'skill', skill: (folder ?? named)!.trim() };
  const remembered = preferences.exec(text)?.[1];
  if (remembered !== undefined) return { text: remembered, kind: 'memory', skill: '' };
  const [head] = projectRules.exec(text) ?? [];
  if (head === undefined) return null;
  const rules = text
    .slice(head.length)
    .replace(/<\/(?:INSTRUCTIONS|system_reminder|system-interrupt)>[^]*$/, '');
  return {
    text: rules,
    kind: head.startsWith('<system-interrupt') ? 'broken' : 'project',
    skill: '',
  };
}
