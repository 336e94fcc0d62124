import type { Migration } from './migration.ts';

/** Single sign-on of a team. A domain is one team's as soon as that team has proved it; until then anyone may name it. */
export const teamSignOn: Migration = {
  name: '0010-team-sign-on',
  statements: [
    `create table team_sign_ons (
      team_id text primary key references teams (id) on delete cascade,
      domain text not null,
      domain_token text not null,
      verified_at integer,
      issuer text not null,
      client_id text not null,
      client_secret_sealed text not null,
      default_role text not null check (default_role in ('writer', 'reader')),
      created_at integer not null,
      updated_at integer not null,
      check (domain = lower(domain))
    )`,
    `create unique index team_sign_ons_by_domain on team_sign_ons (domain) where verified_at is not null`,
  ],
};
