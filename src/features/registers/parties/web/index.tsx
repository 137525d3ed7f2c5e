/** The door for other features: what customers and suppliers have alike. */
export { AccountDoubt, BankAccountInput, BankCodeCell, BankCodeInput } from './BankInputs.tsx'
export { bankChoices, bankText, ibanOf } from './bankWords.ts'
export { DueTermsCell, DueTermsInput, dueTermsText } from './DueTerms.tsx'
export { MergedNote } from './MergedNote.tsx'
export type { MergeKind, Whole } from './mergeKind.ts'
export { openDoublesOf, openMergeOf } from './openMerge.tsx'
export { twinInputs } from './Twins.tsx'
