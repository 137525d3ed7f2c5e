import { formScreen } from '#kit/web/screens/FormScreen.tsx'
import { suppliers } from '../suppliers.ts'
import './dress.tsx'

/** A new supplier. */
export const Screen = formScreen(suppliers)
