/** The door for other features: the form of the business's settings and its bar. */
export { SaveBar } from './SaveBar.tsx'
export { useCompanyForm, type CompanyField, type CompanyForm } from './useCompanyForm.ts'
