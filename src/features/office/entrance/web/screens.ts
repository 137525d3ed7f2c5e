import type { Screen } from '#kit/describe/screen.ts'
import { onSession } from '#kit/web/shell/registry.ts'

const feature = 'entrance'
const logIn = () => import('./LogIn.tsx')
const page = (name: string, path: string, load: Screen['load']): Screen => ({
  name,
  path,
  open: 'guest',
  feature,
  bare: true,
  load,
})

/** The ways in: above the sessions, because a business or a demo may be opened here too. */
export const screens: Screen[] = [
  page('login', '/login', logIn),
  page('loginInvoice', '/logininvoice', logIn),
  page('loginBuzz', '/loginbuzz', logIn),
  page('pestLogin', '/pestlogin', logIn),
  page('loginCpa', '/logincpa', logIn),
  page('loginCpam', '/logincpam', logIn),
  page('affLogin', '/afflogin', logIn),
  page('loginTime', '/logintime', logIn),
  page('signUp', '/signupinvoice', () => import('./SignUp.tsx')),
]

onSession(() => void import('./fit.ts').then(({ fit }) => fit()).catch(() => undefined))
