import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { codingRules } from '../codingRules.ts'
import './dress.tsx'

/** How bills are coded before a person looks. */
export const Screen = listScreen(codingRules)
