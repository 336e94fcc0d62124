export {
  type FolderFile,
  type FolderPdf,
  type FolderSkipReason,
  includesOfFolder,
  pathsOfFolder,
  type WalkOptions,
  walkFolder,
} from './walk-folder.ts';
