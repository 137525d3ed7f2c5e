import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { accounts } from '../accounts.ts'
import './dress.tsx'

/** The chart of accounts; a row opens the account's card. */
export const Screen = listScreen(accounts)
