import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { withholdingCodes } from '../withholdingCodes.ts'
import './dress.tsx'

/** What is withheld from suppliers by code when no certificate says otherwise. */
export const Screen = listScreen(withholdingCodes, { newHref: false, archive: false })
