import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { supplierPayments } from '../supplierPayments.ts'
import { duePath } from './actions.ts'
import './dress.tsx'

/** What was paid to suppliers. */
export const Screen = () => <ListScreen resource={supplierPayments} newHref={duePath} archive={false} />
