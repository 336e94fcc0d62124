export {
  type FolderFile,
  type FolderPdf,
  pathsOfFolder,
  type SkipReason,
  type WalkOptions,
  walkFolder,
} from './walk-folder.ts';
