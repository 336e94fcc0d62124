export {
  type FolderFile,
  type FolderPdf,
  type FolderSkipReason,
  includesOfFolder,
  type WalkOptions,
  walkFolder,
} from './walk-folder.ts';
