import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { movementKinds } from '../journal.ts'
import './dress.tsx'

/** Kinds of movement: what a journal line begins with. */
export const Screen = listScreen(movementKinds)
