import { newHeader } from '../format.ts';
import { metaKey } from '../key.ts';
import { recordCodec } from '../record.ts';
import type { RecordKind } from '../store.ts';

// Two tables in a schema of their own: the records by kind and key, in the order of bytes, and the head
// of each session, its newest journal record. A group of commits is one statement, and so one transaction:
// it moves the heads that stand where they were expected, and writes the rows of those sessions alone.

/** The row that a store begins with; it holds no quote. */
const headerRow = (): { readonly key: string; readonly value: string } => {
  const key = metaKey('format');
  return { key, value: recordCodec(0).encode('meta', key, newHeader()) };
};

/** The statements over the tables of one schema. */
export interface Statements {
  /** Whether the tables are there, and how the server commits. */
  readonly look: string;
  readonly create: string;
  readonly get: string;
  readonly getMany: string;
  readonly commit: string;
  readonly hold: string;
  readonly erase: string;
  readonly begin: string;
  readonly rows: string;
  readonly range: (bounds: RangeBounds) => string;
}

/** Whether the bounds of a range belong to it, and its direction. */
export interface RangeBounds {
  readonly lower: '>' | '>=';
  readonly upper: '<' | '<=';
  readonly reverse: boolean;
}

/** A row of a page. */
export interface Row {
  readonly kind: RecordKind;
  readonly key: string;
  readonly value: string;
}

/** Most bytes that one page brings into memory, give or take one row. */
export const pageBytes = 1 << 20;

/** The statements for the schema `name`, which has been checked. */
export function statements(name: string): Statements {
  const record = `"${name}".record`;
  const head = `"${name}".head`;
  const begun = headerRow();
  return {
    look: `select to_regclass('${record}') is not null as "exists",
      current_setting('synchronous_commit') as "commits"`,
    // Of several processes that begin a store at once the first makes it, whole.
    create: `begin;
      select pg_advisory_xact_lock(hashtextextended('flamestack ${name}', 0));
      create schema if not exists "${name}";
      create table if not exists ${record} (
        kind text collate "C" not null, key text collate "C" not null, value text not null,
        primary key (kind, key));
      create table if not exists ${head} (
        session text collate "C" primary key, seq bigint not null, born bigint not null);
      insert into ${record} values ('meta', '${begun.key}', '${begun.value}') on conflict do nothing;
      commit`,
    get: `select value from ${record} where kind = $1 and key = $2`,
    getMany: `select key, value from ${record} where kind = $1 and key = any($2::text[])`,
    begin: 'begin isolation level repeatable read read only',
    rows: paged(
      `select kind, key, value from ${record} where (kind, key) > ($1, $2)`,
      'kind, key',
      3,
    ),
    range: ({ lower, upper, reverse }) =>
      paged(
        `select kind, key, value from ${record} where kind = $1 and key ${lower} $2
         and ($3::text is null or key ${upper} $3)`,
        reverse ? 'key desc' : 'key',
        4,
      ),
    hold: `select seq from ${head} where session = $1 for update`,
    // With the head gone, who decided on it is refused from then on.
    erase: `
      with head as (delete from ${head} where session = $1),
      gone as (
        delete from ${record}
        where (kind = 'session' and key = $1)
          or (kind not in ('session', 'meta') and key >= $1 || ':' and key < $1 || ';')
        returning 1)
      select count(*)::int as rows from gone`,
    commit: `
      with wanted as (
        select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
          as w(session, seq, born, next)),
      held as (
        select session from ${head} where session = any($1) order by session for update),
      begun as (
        insert into ${head} (session, seq, born)
        select session, next, born from wanted where seq = 0 order by session
        on conflict do nothing returning session),
      moved as (
        update ${head} h set seq = w.next from wanted w join held using (session)
        where h.session = w.session and h.seq = w.seq and h.born = w.born returning h.session),
      there as (
        select session, born from ${head} where session = any($9) order by session for key share),
      passed as (select session from begun union all select session from moved),
      taken as (
        select kind, key, value
        from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bigint[])
          as c(session, kind, key, value, source, born)
        where (session is null or session in (select session from passed))
          and (source is null or (source, born) in (select session, born from there))),
      gone as (
        delete from ${record} r using taken t
        where t.value is null and r.kind = t.kind and r.key = t.key),
      kept as (
        insert into ${record} select kind, key, value from taken
        where value is not null order by kind, key
        on conflict (kind, key) do update set value = excluded.value)
      select session from passed`,
  };
}

/** A page of rows in order: `limit` rows at most, and about {@link pageBytes}; one row at least. */
function paged(select: string, order: string, limit: number): string {
  return `select kind, key, value from (
      select *, sum(octet_length(value)) over (order by ${order}) - octet_length(value) as before
      from (${select} order by ${order} limit $${limit}) as few) as sized
    where before < ${pageBytes} order by ${order}`;
}
