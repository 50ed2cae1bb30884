/** What the help of the commands that look and go back says after their options. */
export const pastExamples = {
  frames: `
Examples
  flamestack frames
  flamestack frames notes --at 40
  flamestack frames --json | jq .frames.children
`,
  log: `
Examples
  flamestack log | less -R
  flamestack log notes --frame f3 --reverse --limit 20
  flamestack log --at 40 --json | jq -r .place.place | sort | uniq -c
`,
  export: `
Examples
  flamestack export notes > notes.jsonl
  flamestack export --as md | less
`,
  snapshot: `
Snapshots are numbers of records: they cost nothing, and a restore can be undone.

Examples
  flamestack snapshot create "before the rewrite"
  flamestack snapshot ls
  flamestack snapshot restore s3
`,
  undo: `
Examples
  flamestack undo
  flamestack undo notes --json
`,
  redo: `
Examples
  flamestack redo
`,
  diff: `
Examples
  flamestack diff 40
  flamestack diff 40 41 --session notes
  flamestack diff s3 --json | jq .facts.lost
`,
} as const;
