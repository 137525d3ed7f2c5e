import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { categories } from '../categories.ts'
import './dressSorts.tsx'

/** The tree that items are sorted by. */
export const Screen = listScreen(categories)
