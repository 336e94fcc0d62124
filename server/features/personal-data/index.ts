export { exportPersonalData, type PersonalDataDependencies } from './export-personal-data.ts';
