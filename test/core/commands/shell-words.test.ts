import { expect, test } from 'vitest';
import { simpleCommands, withoutRedirections } from '../../../src/core/commands/shell-words.ts';

const words = (text: string) => simpleCommands(text).map((command) => command.words);

test.each([
  ['a b  c', [['a', 'b', 'c']]],
  ['a; b && c || d | e & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
  ['(a b)\nc', [['a', 'b'], ['c']]],
  [`echo 'a b' "c d" e\\ f`, [['echo', 'a b', 'c d', 'e f']]],
  [`a'b'"c"d`, [['abcd']]],
  [`echo '' ""`, [['echo', '', '']]],
  [`echo "a \\"b\\" \\$c \\x"`, [['echo', 'a "b" $c \\x']]],
  ['echo "a\\\nb" c\\\nd', [['echo', 'ab', 'cd']]],
  [`echo $'a\\tb\\nc\\'d\\r'`, [['echo', "a\tb\nc'd\r"]]],
  [`echo $HOME "$(date)" $(date)`, [['echo', '$HOME', '$(date)', '$'], ['date']]],
  [`echo 'open; still`, [['echo', 'open; still']]],
  [`echo "open; still`, [['echo', 'open; still']]],
  [`echo $'open; still`, [['echo', 'open; still']]],
  [`echo $'a' b`, [['echo', 'a', 'b']]],
  [`echo a$'b'`, [['echo', 'ab']]],
  [`echo 'a\\' b`, [['echo', 'a\\', 'b']]],
  ['echo "a\\\\b\\`c" d', [['echo', 'a\\b`c', 'd']]],
  [`echo "it's" 'say "so"'`, [['echo', "it's", 'say "so"']]],
  ['a\tb\r\nc', [['a', 'b'], ['c']]],
  ['a <b >c', [['a', '<b', '>c']]],
  ['a 2>&1 | b >&2 &c', [['a', '2>&1'], ['b', '>&2'], ['c']]],
  ['a <&3 &>log; b &>> log & c>|d', [['a', '<&3', '&>log'], ['b', '&>>', 'log'], ['c>|d']]],
  ['a&>log', [['a', '&>log']]],
  ["a '>'& b", [['a', '>'], ['b']]],
  ['a << ;b', [['a', '<<'], ['b']]],
  ['a\\', [['a']]],
  ['', []],
  [' ; \n', []],
] as const)('the words of %j', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test.each([
  ['a b 2>&1', ['a', 'b']],
  ['a >log b', ['a', 'b']],
  ['a > log b &> log 2>/dev/null <in', ['a', 'b']],
  ['a b >> log', ['a', 'b']],
  ['a "b > c" 2.5 12', ['a', 'b > c', '2.5', '12']],
  ['a <<<b', ['a', '<<<b']],
])('%j redirects, its words are %j', (text, expected) => {
  expect(withoutRedirections(words(text)[0]!)).toEqual(expected);
});

test('what stands behind a command tells whether the next one needs it', () => {
  const text = 'a 2>&1 && b "x && y" |& c || (d; e) &&\nf&g\n';
  expect(simpleCommands(text).map(({ end }) => end)).toEqual([
    '&&',
    '|&',
    '||(',
    ';',
    ')&&\n',
    '&',
    '\n',
  ]);
  expect(simpleCommands('a "b;"')).toEqual([{ words: ['a', 'b;'] }]);
});

/** Commands without what stands behind them. */
const read = (text: string) => simpleCommands(text).map(({ end: _end, ...command }) => command);

test('a here-document is what its command reads, to the line that ends it', () => {
  expect(read("cat > a.txt <<'EOF' && b\none\n two\nEOF\nc")).toEqual([
    { words: ['cat', '>', 'a.txt'], input: 'one\n two' },
    { words: ['b'] },
    { words: ['c'] },
  ]);
  expect(read('cat <<-A <<B\n1\n\tA\n2\nB\nc')).toEqual([
    { words: ['cat'], input: '2' },
    { words: ['c'] },
  ]);
  expect(read('cat <<A\nnever closed')).toEqual([{ words: ['cat'], input: 'never closed' }]);
  expect(read('cat <<A\nA\nb')).toEqual([{ words: ['cat'], input: '' }, { words: ['b'] }]);
});

test.each([
  ['cat << EOF\na\nEOF\nb', 'a'],
  ['cat <<  EOF\na\nEOF\nb', 'a'],
  ['cat <<- EOF\na\nEOF\nb', 'a'],
  ['cat <<"EOF"\na\nEOF\nb', 'a'],
  ['cat <<A-1\na\nA-1\nb', 'a'],
  ['cat <<A\nAB\nA B\nA\nb', 'AB\nA B'],
  ['cat <<A\na\n  A\t\nb', 'a'],
  ['cat <<A\na\n\nA\nb', 'a\n'],
] as const)('what is read of %j is %j', (text, input) => {
  expect(read(text)).toEqual([{ words: ['cat'], input }, { words: ['b'] }]);
});

test.each([
  '$(cat <<EOF\nT\nEOF\n)',
  '$( cat <<EOF\nT\nEOF\n)',
  '$(  cat  <<EOF\nT\nEOF\n)',
  '$(cat <<-EOF\nT\nEOF\n)',
  '$(cat <<  EOF\nT\nEOF\n)',
  '$(cat <<"EOF"\nT\nEOF\n)',
  '$(cat <<EOF | sort\nT\nEOF\n)',
])('in double quotes %j is its text', (said) => {
  expect(words(`c "${said}" d`)).toEqual([['c', 'T', 'd']]);
});

test.each(['$(cat<<EOF\nT\nEOF\n)', '$(tac <<EOF\nT\nEOF\n)', '$(cat <<EOF)', '(cat <<EOF\n)'])(
  'in double quotes %j stays as it is',
  (said) => expect(words(`c "${said}" d`)).toEqual([['c', said, 'd']]),
);

test('a here-document in double quotes is a part of the word', () => {
  const said = `git commit -m "$(cat <<'EOF'\nTitle\n\nBody "quoted"\nEOF\n)" && b`;
  expect(words(said)).toEqual([['git', 'commit', '-m', 'Title\n\nBody "quoted"'], ['b']]);
  expect(words('c -m "x $(cat <<EOF\nT\nEOF)y" d')).toEqual([['c', '-m', 'x Ty', 'd']]);
  expect(words('c "$(cat <<EOF\nT\nEOF)" d')).toEqual([['c', 'T', 'd']]);
  expect(words('c "$(cat <<EOF\nT (x)\n EOF \n) y" d')).toEqual([['c', 'T (x) y', 'd']]);
  expect(words('c "$(cat <<EOF\nEOF\n)" d')).toEqual([['c', '', 'd']]);
  expect(words('c "$x (cat" d')).toEqual([['c', '$x (cat', 'd']]);
  expect(words('c "$(cat <<EOF\nT\nEOF)')).toEqual([['c', 'T']]);
  expect(words('c -m "$(cat <<EOF\nopen')).toEqual([['c', '-m', 'open']]);
});
