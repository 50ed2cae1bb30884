import { expect, test } from 'vitest';
import {
  isDestructive,
  matchesCall,
  patternsSchema,
  toPatterns,
} from '../../../src/core/commands/destructive.ts';
import { faultIn } from '../../../src/core/values/validation.ts';
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
  'git checkout . 2>&1 | tail -1',
  'git reset --hard &>log',
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
  ...'rm unlink shred srm truncate dropdb dropuser wipefs fdisk mkfs mkfs.ext4'
    .split(' ')
    .map((name) => `${name} a`),
  ...'del RD deltree Remove-Item'.split(' ').map((name) => `${name} a`),
  ...'sudo doas command exec nohup time env nice then do else ! { npx bunx php python python3 bundle -x A=1'
    .split(' ')
    .map((word) => `${word} rm a`),
  'dd of=/dev/sda',
  'find -delete',
  'find . -execdir rm {} +',
  'find . -ok unlink {} +',
  'find . -okdir sudo shred {} +',
  'xargs rm',
  'parallel -j 4 unlink',
  'xargs shred',
  'rsync -a --delete a b',
  'rsync --remove-source-files a b',
  'git reset --merge',
  'git clean --force',
  'git clean -d -f',
  'git checkout main --force',
  'git switch --discard-changes main',
  'git switch -f main',
  'git checkout ./',
  'git checkout main .',
  'git restore a.ts',
  'git restore -S -W a.ts',
  'git branch -D a',
  'git branch --delete --force a',
  'git stash clear',
  'git push --delete origin a',
  'git push -d origin a',
  'git push --mirror',
  'git worktree remove -f a',
  'git worktree remove --force a',
  'git reflog expire --all',
  'git filter-branch --all',
  'git filter-repo --all',
  'git update-ref -d a',
  'git tag -d v1',
  'git tag --delete v1',
  'git -c a.b=c --no-pager stash drop',
  'docker image rm a',
  'podman container prune',
  'docker network remove a',
  'docker builder prune',
  'docker rmi a',
  'docker rm a',
  'docker compose -f a.yml down --volumes',
  'docker-compose down -v',
  'docker-compose -f a.yml down --rmi all --volumes',
  'oc delete a',
  'gcloud x delete a',
  'az delete',
  'kubectl drain node',
  'helm delete web',
  'tofu destroy',
  'terragrunt apply',
  'pulumi destroy',
  'aws s3 rb s3://a',
  'aws s3 sync a b --delete',
  'aws s3 mv a b --delete',
  'aws ec2 delete-volume',
  'aws purge-queue',
  'gsutil rm gs://a',
  'gsutil -m rb gs://a',
  'redis-cli -n 1 flushdb',
  'valkey-cli DEL a',
  'redis-cli unlink a',
  'pnpm publish',
  'npm unpublish a',
  'gem yank a',
  'twine upload a',
  'cargo publish',
  'yarn publish',
  'poetry publish',
  'rake db:reset',
  'rails db:purge',
  'rails db:wipe',
  'mix ecto.drop',
  'mix ecto.reset',
  'php artisan migrate:fresh',
  'sequelize migrate:reset',
  'supabase db reset',
  'python manage.py flush',
  'crontab -r',
  'mysql -e "drop database a"',
  'mariadb -e "drop index a"',
  'duckdb "drop view a"',
  'sqlcmd "drop role a"',
  'snowsql "drop user a"',
  'bq "drop collection a"',
  'cqlsh "drop keyspace a"',
  'clickhouse-client "truncate a"',
  'clickhouse "truncate a"',
  'mongo "db.a.drop()"',
  'mongosh "db.dropDatabase()"',
  'mongosh "db.a.deleteMany({})"',
  'mongosh "db.a.remove({})"',
  ...'sh bash zsh dash ksh'.split(' ').map((name) => `${name} -c "rm a"`),
  ...'ssh eval docker podman kubectl docker-compose watch timeout'
    .split(' ')
    .map((name) => `${name} x rm a`),
  `bash -c "bash -c 'rm a'"`,
  'rm --helpful',
  'rm --version2',
  'find . -type f -exec sudo rm {} +',
  'git clean -df',
  'git restore --staged a.ts --worktree',
  'git branch -rD a',
  'git --a-C reset --hard',
  'git -Cx reset --hard',
  'docker rm',
  'FORCE=12 rm a',
  'sudo -xy rm a',
  'Redis-CLI del a',
  `bash -c "bash -c 'bash -c \\"rm a\\"'"`,
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
  'rm --version',
  'rm',
  'rm2 a',
  'arm a',
  'mkfsx a',
  'rdx a',
  'remove-items a',
  'dd if=a xof=b',
  'finds . -delete',
  'find . -deleted',
  'find . -exec ls {} +',
  'xargs alarm',
  'rsync -a a b',
  'git clean -n',
  'git reset --soft',
  'git so reset --hard',
  'git checkout fix.ts',
  'git push origin a:b',
  'git stash pop',
  'git tag v1',
  'git worktree remove a',
  'git update-ref a b',
  'git -C a',
  'docker volume ls',
  'docker run a',
  'docker compose up -v',
  'docker-compose up --volumes',
  'docker-compose down',
  'docker-composes down -v',
  'kubectl undelete a',
  'kubectl deleted a',
  'pulumi applying',
  'aws s3 rms a',
  'aws s3 sync a b',
  'aws undelete-volume',
  'gsutil charm a',
  'redis-cli get del1',
  'redis-client del a',
  'npm run publish',
  'npm publisher',
  'rails so db:drop',
  'rails db:dropped',
  'mix ecto.migrate',
  'crontab -l',
  'crontab a -r',
  'psql "drop tables"',
  'psql "drop it"',
  'mongosh "db.a.drop"',
  'sqlite drop table a',
  'bash rm',
  'bashful -c "rm a"',
  'ksh2 -c "rm a"',
  'sshd x rm a',
  'ls x rm a',
  'A-=1 rm a',
  'sudoer rm a',
  'model a',
  'del',
  'add of=b',
  'ddd of=b',
  'refind . -delete',
  'find . x-delete',
  'axargs rm',
  'xargsx rm',
  'arsync --delete a b',
  'rsyncd --delete a b',
  'rsync -a a--delete b',
  'agit reset --hard',
  'gitx reset --hard',
  'git checkout .b',
  'git -C filter-branch',
  'adocker volume prune',
  'dockerd volume prune',
  'docker run a volume prune',
  'adocker-compose down -v',
  'kaz delete',
  'azx delete',
  'unpulumi destroy',
  'tofux apply',
  'laws s3 rm a',
  'awsx s3 rm a',
  'agsutil rm a',
  'gsutils rm a',
  'aredis-cli del a',
  'redis-clix del a',
  'anpm publish',
  'npmx publish',
  'trails db:drop',
  'railsx db:drop',
  'acrontab -r',
  'crontabs -r',
  'apsql "drop table a"',
  'psqlx "drop table a"',
  'pseudo rm a',
  'asudo rm a',
  'fish -c "rm a"',
  'bash "my script.sh"',
  'assh x rm a',
  `bash -c "bash -c 'bash -c \\"bash -c rm\\"'"`,
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
  expect(isDestructive({ name: 'undelete', arguments: {} }, null)).toBe(false);
  for (const name of ['drop', 'a.remove_it', 'a-destroy', 'truncate', 'PURGE'])
    expect(isDestructive({ name, arguments: {} }, null)).toBe(true);
  for (const name of ['run_sql', 'database', 'postgres', 'Mongo'])
    expect(isDestructive({ name, arguments: query }, null)).toBe(true);
  expect(isDestructive({ name: 'note', arguments: query }, null)).toBe(false);
  expect(isDestructive({ name: 'list', arguments: { 'rm -rf': false } }, null)).toBe(false);
});

/** A command in so many shells. */
const nested = (depth: number): string =>
  depth === 0 ? 'rm a' : `bash -c '${nested(depth - 1).replaceAll("'", `'\\''`)}'`;

test('a shell in a shell is read three deep', () => {
  const of = (depth: number) => isDestructive(shell(nested(depth)), null);
  expect([0, 1, 2, 3, 4, 5].map(of)).toEqual([true, true, true, true, false, false]);
});

test('the first four thousand characters of a call are read', () => {
  const behind = (length: number, command: string) => `${'x'.repeat(length)};${command}`;
  expect(isDestructive(shell(behind(3_995, 'rm a')), null)).toBe(true);
  expect(isDestructive(shell(behind(3_996, 'rm a')), null)).toBe(false);
  const query = (length: number) => ({ name: 'sql', arguments: { q: behind(length, 'truncate') } });
  expect(isDestructive(query(3_991), null)).toBe(true);
  expect(isDestructive(query(3_992), null)).toBe(false);
  expect(matchesCall(shell(behind(3_995, 'rm a')), ['rm a$'])).toBe(true);
  expect(matchesCall(shell(behind(3_996, 'rm a')), ['rm a$'])).toBe(false);
});

test('what a database is asked takes nothing away', () => {
  const query = { query: 'select drop from notes' };
  expect(isDestructive({ name: 'sql', arguments: query }, null)).toBe(false);
  expect(isDestructive({ name: 'bash', arguments: {} }, null)).toBe(false);
});

test('patterns take the place of the usual ones, and a list without any finds nothing', () => {
  const call = shell('rm -rf build');
  expect(isDestructive(call, toPatterns(['^BASH rm']))).toBe(true);
  expect(isDestructive(call, toPatterns([/^deploy/]))).toBe(false);
  expect(isDestructive(call, [])).toBe(false);
  expect(toPatterns(null)).toBeNull();
});

test('patterns are regular expressions, or their sources', () => {
  const holds = (value: unknown): boolean => faultIn(value, patternsSchema) === null;
  expect([null, [], ['^a'], [/^a/]].map(holds)).toEqual([true, true, true, true]);
  for (const value of ['a', [''], ['('], [4], {}, undefined, ['^a', ''], [4, '^a'], [null]])
    expect(holds(value)).toBe(false);
  expect(patternsSchema.takes).toBe('a list of regular expressions, or null for the usual ones');
  for (let n = 0; n < 300; n += 1) expect(matchesCall(shell(`x${n}`), [`x${n}$`])).toBe(true);
});

test('a hostile call takes no time', () => {
  const flags = '-a '.repeat(100_000);
  expect(isDestructive(shell(`git ${flags}`), null)).toBe(false);
});
