import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { signRequests, signTemplates } from '../signing.ts'
import './dress.tsx'

/** What was sent to be signed: what waits, what was signed, what was declined. */
export function Screen() {
  return <ListScreen resource={signRequests} archive newHref={signTemplates.screens.list} />
}
