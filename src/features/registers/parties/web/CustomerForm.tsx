import { formScreen } from '#kit/web/screens/FormScreen.tsx'
import { customers } from '../customers.ts'
import './dress.tsx'

/** A new customer. */
export const Screen = formScreen(customers)
