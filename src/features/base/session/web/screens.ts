import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const feature = 'session'
const reset = () => import('./ResetPassword.tsx')
const page = (name: string, path: string, load: Screen['load']): Screen => ({
  name,
  path,
  open: 'guest',
  feature,
  bare: true,
  load,
})

export const screens: Screen[] = [
  page('resetPassword', '/reset-password', reset),
  page('invoiceResetPassword', '/invoice-reset-password', reset),
  page('invoiceResetCpa', '/invoice-reset-cpa', reset),
  {
    name: 'verifyEmail',
    path: '/verify-email',
    open: 'anyone',
    feature,
    bare: true,
    load: () => import('./VerifyEmail.tsx'),
  },
  {
    name: 'undoChange',
    path: '/undo-change',
    open: 'anyone',
    feature,
    bare: true,
    load: () => import('./UndoChange.tsx'),
  },
  page('resetSms', '/reset-password-sms', () => import('./ResetBySms.tsx')),
  {
    name: 'googleStandIn',
    path: '/google-stand-in',
    open: 'anyone',
    feature,
    bare: true,
    load: () => import('./GoogleStandIn.tsx'),
  },
  {
    name: 'autoLogin',
    path: '/autologin',
    open: 'anyone',
    feature,
    bare: true,
    load: () => import('./AutoLogin.tsx'),
  },
  {
    name: 'autoLoginCpa',
    path: '/autologincpa',
    open: 'anyone',
    feature,
    bare: true,
    load: () => import('./AutoLogin.tsx'),
  },
  {
    name: 'splash',
    path: '/splash',
    open: 'anyone',
    feature,
    bare: true,
    load: () => import('./Splash.tsx'),
  },
  {
    name: 'account',
    path: '/invoice/account',
    open: 'login',
    feature,
    settings: [{ key: 'account', group: 'me', order: 10, finds: ['session.field.', 'session.me.'] }],
    load: () => import('./MyAccount.tsx'),
  },
  ...(import.meta.env?.DEV
    ? [
        {
          name: 'parts',
          path: '/dev/parts',
          open: 'anyone',
          feature,
          bare: true,
          load: () => import('./DevParts.tsx'),
        } satisfies Screen,
      ]
    : []),
]
