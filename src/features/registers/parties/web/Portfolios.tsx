import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { portfolios } from '../classifications.ts'
import './dress.tsx'

/** The portfolios: who is in charge of each, how many customers are in it. */
export const Screen = listScreen(portfolios)
