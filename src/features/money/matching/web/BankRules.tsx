import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { bankRules } from '../bankRules.ts'
import './dress.tsx'

/** What lines of the bank with certain words are. */
export const Screen = listScreen(bankRules)
