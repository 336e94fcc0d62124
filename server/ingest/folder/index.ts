export { type FolderFile, type FolderPdf, includesOfFolder, walkFolder } from './walk-folder.ts';
