import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { deposits } from '../payments.ts'
import { newDepositPath } from './actions.ts'
import './dress.tsx'

export const Screen = () => <ListScreen resource={deposits} newHref={newDepositPath} archive={false} />
