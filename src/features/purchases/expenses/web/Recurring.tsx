import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { recurringExpenses } from '../expenses.ts'
import './dress.tsx'

/** Bills that come back, those that wait for their paper first. */
export const Screen = listScreen(recurringExpenses)
