/** The door for other features: the form of the business's settings and its bar, and its VAT periods. */
export { SaveBar } from './SaveBar.tsx'
export { useIsDetailed, useVatPeriods } from './useVatPeriods.ts'
export { useCompanyForm, type CompanyField, type CompanyForm } from './useCompanyForm.ts'
export { LanguageDialog } from './LanguageDialog.tsx'
export { switchTo } from './switch.ts'
