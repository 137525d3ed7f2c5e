import type { Session } from '#kit/describe/session.ts'
import { call } from '#kit/web/calls/call.ts'
import { clearElsewhere, session, storeSession } from '#kit/web/session/session.ts'
import { placeIn } from '#kit/web/shell/company.ts'
import { store } from '#kit/web/session/storage.ts'
import { switchCompany } from '../endpoints.ts'

/** The user type of a business (specification, section 1). */
const businessUser = 4

/** Whether something on the page would be lost: asked as the browser asks when a page is closed. */
export const hasUnsaved = (): boolean => {
  const asked = new Event('beforeunload', { cancelable: true })
  dispatchEvent(asked)
  return asked.defaultPrevented
}

/**
 * Works in another business from now on. The page starts again in it, so that nothing of the one before stays
 * in its memory; a page that belongs to that business already (another tab had left it) goes on as it is.
 */
export async function switchTo(id: string, href?: string): Promise<void> {
  const held = session()
  if (!held) return
  const fresh = await call(switchCompany, { id }, { anyCompany: true })
  const next: Session = { ...held, ...fresh }
  storeSession(next)
  // Whom the person works for now (specification, sections 3 and 4): a business, by its user type.
  store.set('userchosen', JSON.stringify({ id, type: businessUser }))
  if (id === held.CompanyKey) return clearElsewhere()
  // It has been asked already; the browser need not ask again.
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
  location.assign(href ?? placeIn(next, location, held.CompanyKey))
}
