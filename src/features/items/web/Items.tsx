import { listScreen } from '../../../kit/web/screens/ListScreen.tsx'
import { items } from '../items.ts'
import './dress.tsx'

/** What the business sells. */
export const Screen = listScreen(items)
