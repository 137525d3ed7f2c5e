/**
 * The door for other features: every screen that pays a supplier shows this warning; whatever names a bank
 * takes its words.
 */
export { PayWarning } from './PayWarning.tsx'
export { bankChoices } from '#features/registers/parties/web/index.tsx'
