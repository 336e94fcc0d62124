import type { Migration } from './migration.ts';

/**
 * Receipts summed up by day (counted from 1970, UTC), so that 30 busy days are read from a few hundred rows. Rows
 * without a team or key have an empty text there: nulls are never equal in a primary key.
 */
export const callDays: Migration = {
  name: '0052-call-days',
  statements: [
    `create table call_days (
      user_id text not null,
      team_id text not null,
      key_id text not null,
      day integer not null,
      tool text not null check (tool in ('search', 'read')),
      calls integer not null,
      answered integer not null,
      credits integer not null,
      tokens integer not null,
      whole_page_tokens integer not null,
      withheld_tokens integer not null,
      last_at integer not null,
      primary key (user_id, team_id, day, key_id, tool)
    )`,
    `create index call_days_by_team on call_days (team_id, day)`,
    `insert into call_days (user_id, team_id, key_id, day, tool, calls, answered, credits, tokens, whole_page_tokens,
        withheld_tokens, last_at)
      select user_id, coalesce(team_id, ''), coalesce(key_id, ''), at / 86400000, tool, count(*),
        sum(case when whole_page_tokens > 0 then 1 else 0 end), sum(credits), sum(tokens), sum(whole_page_tokens),
        sum(withheld_tokens), max(at)
      from call_receipts group by user_id, coalesce(team_id, ''), coalesce(key_id, ''), at / 86400000, tool`,
  ],
};
