import type { Migration } from './migration.ts';

/** PDF sets, their files, and resumable uploads. */
export const pdfSets: Migration = {
  name: '0014-pdf-sets',
  statements: [
    `create table pdf_sets (
      id text primary key,
      workspace text not null,
      slug text not null,
      display_name text not null,
      created_at integer not null,
      created_by_user_id text not null,
      uploaded_at integer not null,
      unique (workspace, slug)
    )`,
    `create table pdf_files (
      id text primary key,
      set_id text not null references pdf_sets (id) on delete cascade,
      name text not null,
      slug text not null,
      blob_key text not null,
      size_bytes integer not null,
      content_hash text not null,
      last_modified integer not null,
      uploaded_at integer not null,
      uploaded_by_user_id text not null,
      status text not null default 'waiting' check (status in ('waiting', 'indexed', 'failed')),
      title text,
      language text,
      page_count integer,
      indexed_pages integer not null default 0,
      last_error text,
      unique (set_id, slug)
    )`,
    `create table pdf_uploads (
      id text primary key,
      set_id text not null references pdf_sets (id) on delete cascade,
      user_id text not null,
      name text not null,
      size_bytes integer not null,
      last_modified integer,
      parts text not null default '[]',
      arrived_bytes integer not null default 0,
      created_at integer not null,
      changed_at integer not null,
      file_id text
    )`,
    `create index pdf_uploads_by_set on pdf_uploads (set_id)`,
  ],
};
