import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { incomeKinds } from '../incomeKinds.ts'
import './dressSorts.tsx'

/** What sales are to the books. */
export const Screen = listScreen(incomeKinds)
