export {
  type FolderFile,
  type FolderPdf,
  includesOfFolder,
  pathsOfFolder,
  type SkipReason,
  type WalkOptions,
  walkFolder,
} from './walk-folder.ts';
