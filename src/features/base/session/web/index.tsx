import { lazy } from 'react'
import type { Session } from '#kit/describe/session.ts'
import { call } from '#kit/web/calls/call.ts'
import type { Account } from '#kit/web/session/account.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { go } from '#kit/web/routes/place.ts'
import { fitShell } from '#kit/web/shell/registry.ts'
import * as calls from '../endpoints.ts'
import { keepPendingFactor } from './factorStep.ts'
import { enterWithGoogle, keepGoogleStep } from './google.ts'

export { AccountFrame } from './AccountFrame.tsx'
export { takePendingFactor } from './factorStep.ts'
export {
  enterWithGoogle,
  goToGoogle,
  keepGoogleSignUp,
  readGoogleAnswer,
  takeGoogleAnswer,
  takeGoogleStep,
  type GoogleLater,
  takeGoogleSignUp,
  type GoogleSignUp,
} from './google.ts'
export { newPerson, personFaults, personGiven, PersonFields, TermsField } from './SignUpFields.tsx'
export { isEmail, isPhone, useForm } from './useForm.ts'

/** Logs in by a code to the phone; few do, so it comes with the wish for it. */
export const LogInByCode = lazy(() =>
  fetchPart(() => import('./LogInByCode.tsx')).then((part) => ({ default: part.LogInByCode })),
)

/** What may come between Google and the application. */
export const GoogleStep = lazy(() =>
  fetchPart(() => import('./GoogleStep.tsx')).then((part) => ({ default: part.GoogleStep })),
)

/** The dialog of a link that logs in elsewhere; it comes with its words when it is opened. */
export const WayIn = lazy(() =>
  fetchPart(() => import('./WayIn.tsx')).then((part) => ({ default: part.WayIn })),
)

/** What the frame asks of this feature. */
export const account: Account = {
  // Words are loaded in groups.
  brand: async (lang, domain) => {
    const { dic: _, ...brand } = await call(
      calls.getTranslateDe,
      { lang, domain, groups: '' },
      { quiet: true },
    )
    return brand
  },
  logOut: (key) => call(calls.logOut, { key }, { quiet: true }),
  countAffiliateView: (data) => call(calls.setAffiliatesViews, { data }, { quiet: true }),
  logInWithGoogle: async (token) => {
    const answer = await enterWithGoogle(token)
    if ('entered' in answer) return answered(answer.entered)
    // The log-in page shows what comes first.
    keepGoogleStep(answer.step)
    go('/login')
    return undefined
  },
  askFactor: (token) => {
    keepPendingFactor(token)
    return '/login'
  },
  refresh: async () => {
    const {
      email: _,
      phone: __,
      factor: ___,
      companyId: ____,
      hasPassword: _____,
      emailVerified,
      phoneVerified: ______,
      ...kept
    } = await call(calls.mySession, {}, { quiet: true })
    const strip = emailVerified ? undefined : (await fetchPart(() => import('./VerifyStrip.tsx'))).VerifyStrip
    fitShell({ strip })
    return kept
  },
  keepLanguage: (language) => call(calls.changeMe, { language }, { quiet: true }),
}

/** A log-in answers a session, or asks for the second factor. */
export const answered = (
  answer: Session | { factorNeeded: true; token: string },
): { session: Session } | { factorToken: string } =>
  'factorNeeded' in answer ? { factorToken: answer.token } : { session: answer }

/** One’s details, password and language, for areas that have a separate page for them. */
export const loadAccount = () => import('./MyAccount.tsx')
