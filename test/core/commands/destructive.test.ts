import { expect, test } from 'vitest';
import { isDestructive, toPatterns } from '../../../src/core/commands/destructive.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';

const shell = (command: string): ToolCall => ({ name: 'bash', arguments: { command } });

test.each([
  'rm -rf build',
  'cd x && rm -v -r y',
  'rm --recursive --force dist',
  'git reset --hard HEAD~1',
  'git push origin main --force-with-lease',
  'git push -f',
  'git clean -fdx',
  'psql -c "DROP TABLE users"',
  'sqlite3 a.db "delete from notes"',
  'find . -name "*.log" -delete',
  'find . -name "*.tmp" -exec rm {} \\;',
  'find . -print0 | xargs -0 rm -f',
  'dd if=/dev/zero of=/dev/sda',
  'npm publish',
  'rm notes.txt',
  '/bin/rm notes.txt',
  'sudo rm notes.txt',
  'FORCE=1 rm notes.txt',
  'git checkout .',
  'git checkout -- src/a.ts',
  'git checkout -f main',
  'git restore .',
  'git restore --staged --worktree src',
  'git -C ../app clean -f',
  'git push origin +main',
  'git push origin :old',
  'git stash drop',
  'docker volume rm data',
  'docker system prune -af',
  'docker compose down -v',
  'dropdb app',
  'psql -c "TRUNCATE users"',
  'psql <<EOF\nDROP SCHEMA public CASCADE;\nEOF',
  'docker exec db psql -c "DROP TABLE users"',
  'aws s3 rm s3://bucket --recursive',
  'aws ec2 terminate-instances --instance-ids i-1',
  'terraform destroy',
  'terraform -chdir=infra apply',
  'kubectl -n app delete pod web',
  'helm uninstall web',
  'mkfs.ext4 /dev/sdb1',
  'redis-cli FLUSHALL',
  'bash -c "cd x && rm -rf y"',
  'ssh host rm -rf /srv/app',
  'echo $(rm -rf build)',
  'test -d build && (cd build; rm -r .)',
  'npx prisma migrate reset',
  'bundle exec rails db:drop',
])('%s cannot be taken back', (command) => {
  expect(isDestructive(shell(command), null)).toBe(true);
});

test.each([
  'ls -rf',
  'rm --help',
  'echo "rm -rf /"',
  "echo 'git push --force'",
  'grep -rn rm src',
  'grep "DROP TABLE" schema.sql',
  'rg "rm -rf"',
  'git commit -m "Remove rm -rf, and git push --force"',
  'git rm --cached a.ts',
  'git restore --staged .',
  'git checkout main',
  'git checkout -b fix/rm',
  'git log -- src/rm.ts',
  'git branch -d merged',
  'npm run rm',
  'npm install rm-rf',
  'man rm',
  'cat <<EOF > notes.md\nrm -rf build\nEOF',
  'docker ps --format "{{.Names}}"',
  'docker compose down',
  'kubectl get pods',
  'terraform plan',
  'aws s3 ls',
  'psql -c "SELECT * FROM users"',
  'find . -name rm',
  'dd --help',
  'sh build.sh',
  'npm run format',
  'git push origin main',
  'git status',
  'git reset HEAD a.ts',
  'echo from the drop down table',
  'grep -rf words .',
])('%s can', (command) => {
  expect(isDestructive(shell(command), null)).toBe(false);
});

test('the name of a tool counts, arguments as text too, and keys do not', () => {
  expect(isDestructive({ name: 'delete_file', arguments: { path: 'a.ts' } }, null)).toBe(true);
  expect(isDestructive({ name: 'bash', arguments: 'rm -rf {' }, null)).toBe(true);
  expect(isDestructive({ name: 'mcp__files__delete_file', arguments: {} }, null)).toBe(true);
  const query = { query: 'delete from notes' };
  expect(isDestructive({ name: 'mcp__db__query', arguments: query }, null)).toBe(true);
  expect(isDestructive({ name: 'edit', arguments: { newText: 'rm -rf x' } }, null)).toBe(false);
  expect(isDestructive({ name: 'list', arguments: { 'rm -rf': false } }, null)).toBe(false);
});

test('patterns take the place of the usual ones, and a list without any finds nothing', () => {
  const call = shell('rm -rf build');
  expect(isDestructive(call, toPatterns(['^BASH rm']))).toBe(true);
  expect(isDestructive(call, toPatterns([/^deploy/]))).toBe(false);
  expect(isDestructive(call, [])).toBe(false);
  expect(toPatterns(null)).toBeNull();
});

test('a hostile call takes no time', () => {
  const flags = '-a '.repeat(100_000);
  expect(isDestructive(shell(`git ${flags}`), null)).toBe(false);
});
