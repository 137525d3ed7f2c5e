/** The door for other features: what customers and suppliers have alike. */
export { DueTermsCell, DueTermsInput, dueTermsText } from './DueTerms.tsx'
export { twinInputs } from './Twins.tsx'
