import { listScreen } from '../../../kit/web/screens/ListScreen.tsx'
import { customers } from '../customers.ts'
import './dress.tsx'

/** The customers, by name. */
export const Screen = listScreen(customers)
