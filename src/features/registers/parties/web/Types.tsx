import { listScreen } from '#kit/web/screens/ListScreen.tsx'
import { customerTypes } from '../classifications.ts'
import './dress.tsx'

/** The types of customers, with what each brings along: a discount, terms of payment. */
export const Screen = listScreen(customerTypes)
