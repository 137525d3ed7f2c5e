import { listScreen } from '../../../kit/web/screens/ListScreen.tsx'
import { suppliers } from '../suppliers.ts'
import './dress.tsx'

/** The suppliers, by name. */
export const Screen = listScreen(suppliers)
