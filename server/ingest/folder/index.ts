export { type FolderFile, type SkipReason, type WalkOptions, walkFolder } from './walk-folder.ts';
