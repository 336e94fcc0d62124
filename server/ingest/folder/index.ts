export { type FolderFile, type FolderPdf, type SkipReason, type WalkOptions, walkFolder } from './walk-folder.ts';
