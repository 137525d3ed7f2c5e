export { Mandates } from './AskMandate.tsx'
