import { listScreen } from '../../../kit/web/screens/ListScreen.tsx'
import { bankAccounts } from '../bankAccounts.ts'
import './dress.tsx'

/** The accounts at banks; a row opens the account with its statements. */
export const Screen = listScreen(bankAccounts, { title: 'screens.bankList' })
