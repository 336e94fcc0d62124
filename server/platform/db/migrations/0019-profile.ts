import type { Migration } from './migration.ts';

/** Libraries pinned by project lockfiles, and the documentation addresses from package registries. */
export const profile: Migration = {
  name: '0019-profile',
  statements: [
    `create table profiles (
      id text primary key,
      workspace text not null,
      name text not null,
      content_hash text not null,
      lockfiles text not null default '[]',
      created_at integer not null,
      updated_at integer not null,
      updated_by_user_id text not null,
      unique (workspace, name)
    )`,
    `create table profile_pins (
      profile_id text not null references profiles (id) on delete cascade,
      ecosystem text not null,
      name text not null,
      version text not null,
      match_name text not null,
      is_direct integer not null,
      is_dev integer not null,
      job_id text,
      primary key (profile_id, ecosystem, name, version)
    )`,
    `create index profile_pins_by_match_name on profile_pins (profile_id, match_name)`,
    `create table library_addresses (
      ecosystem text not null,
      name text not null,
      version text not null,
      offers text not null,
      fault text,
      asked_at integer not null,
      primary key (ecosystem, name, version)
    )`,
    `create index library_addresses_by_asked_at on library_addresses (asked_at)`,
  ],
};
