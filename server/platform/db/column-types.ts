/** The readers of a module or run: everyone, one user, or one team. */
export type Workspace = 'public' | `user:${string}` | `team:${string}`;
export type SourceKind = 'site' | 'folder' | 'git' | 'pdf';
export type TeamRole = 'admin' | 'writer' | 'reader';
export type JobStatus = 'QUEUED' | 'CRAWLING' | 'INDEXING' | 'COMPLETE' | 'FAILED';
