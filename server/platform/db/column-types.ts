/** Who sees a module or a run: everyone, one user, or one team. */
export type Workspace = 'public' | `user:${string}` | `team:${string}`;
/** What a module was made from. */
export type SourceKind = 'site' | 'folder' | 'git' | 'pdf';
export type TeamRole = 'admin' | 'writer' | 'reader';
export type JobStatus = 'QUEUED' | 'CRAWLING' | 'INDEXING' | 'COMPLETE' | 'FAILED';
