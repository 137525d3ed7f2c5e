import { listScreen } from '../../../kit/web/screens/ListScreen.tsx'
import { fixedAssets } from '../expenses.ts'
import './dress.tsx'

/** What was bought to last: what it cost, what it loses a year, what is left. Assets come from approved expenses alone. */
export const Screen = listScreen(fixedAssets, { newHref: false, archive: false })
