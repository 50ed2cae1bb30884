// Each script hands the words up to the cursor to the program, and shows what it answers: a value on each line, with
// what it is behind a tab; or one line that asks for files.

/** The shells that there is a script for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** The word after which the program is given what is typed so far. */
export const completing = '__complete';

/** The answer that asks for files. */
export const files = ':files';

/** What each shell has to be told. */
export const shellScripts: Readonly<Record<Shell, string>> = {
  bash: `# flamestack in bash
_flamestack() {
  local line tab=$'\\t' values=() shown=()
  while IFS= read -r line; do
    values+=("\${line%%"$tab"*}")
    case $line in
      *"$tab"*) shown+=("\${line%%"$tab"*}  (\${line#*"$tab"})") ;;
      *) shown+=("$line") ;;
    esac
  done < <("\${COMP_WORDS[0]}" ${completing} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "\${values[0]-}" = '${files}' ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=()
    while IFS= read -r line; do
      COMPREPLY+=("$line")
    done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
    return
  fi
  compopt -o nosort 2>/dev/null
  if [ "\${#values[@]}" -gt 1 ]; then
    COMPREPLY=("\${shown[@]}")
  else
    COMPREPLY=("\${values[@]}")
  fi
}
complete -F _flamestack flamestack
`,
  zsh: `#compdef flamestack
_flamestack() {
  local line tab=$'\\t'
  local -a lines values shown
  lines=("\${(@f)$("\${words[1]}" ${completing} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${lines[1]}" == '${files}' ]]; then
    _files
    return
  fi
  for line in $lines; do
    values+=("\${line%%$tab*}")
    shown+=("\${line/$tab/  -- }")
  done
  (( $#values )) && compadd -U -l -V flamestack -d shown -a values
}
if [ "\${funcstack[1]}" = _flamestack ]; then
  _flamestack "$@"
else
  compdef _flamestack flamestack
fi
`,
  fish: `# flamestack in fish
function __flamestack_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l lines ($words[1] ${completing} $words[2..-1] "$current" 2>/dev/null)
  if test "$lines[1]" = '${files}'
    __fish_complete_path "$current"
  else if set -q lines[1]
    printf '%s\\n' $lines
  end
end
complete -k -c flamestack -f -a '(__flamestack_complete)'
`,
};
