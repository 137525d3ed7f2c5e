import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { call, CallFailure, useCall, useFailureText } from '#kit/web/calls/call.ts'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { go, readQuery, writeQuery } from '#kit/web/routes/place.ts'
import { useScreen } from '#kit/web/routes/screenNow.ts'
import { setSession } from '#kit/web/session/session.ts'
import { useBrand } from '#kit/web/words/wording.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { openDemo, openDemoOffice } from '#features/office/demo/endpoints.ts'
import { logIn, logInFactor, logInMeans } from '#features/base/session/endpoints.ts'
import { mayBeRecoveryCode } from '#features/base/session/recoveryCodes.ts'
import {
  AccountFrame,
  answered,
  enterWithGoogle,
  GoogleStep,
  goToGoogle,
  isPhone,
  keepGoogleSignUp,
  LogInByCode,
  readGoogleAnswer,
  takeGoogleAnswer,
  takeGoogleStep,
  type GoogleLater,
  takePendingFactor,
  useForm,
} from '#features/base/session/web/index.tsx'
import { Paper } from './Paper.tsx'

/** Where each kind of log-in page sends those who forgot, and those who are new. */
const ways: Record<string, { reset: string; signUp?: string; area?: string }> = {
  login: { reset: '/reset-password', signUp: '/signupinvoice' },
  loginInvoice: { reset: '/invoice-reset-password', signUp: '/signupinvoice' },
  loginBuzz: { reset: '/reset-password', signUp: '/signupinvoice' },
  pestLogin: { reset: '/invoice-reset-password', signUp: '/signupinvoice', area: 'pest' },
  loginCpa: { reset: '/invoice-reset-cpa', signUp: '/signupcpa' },
  affLogin: { reset: '/reset-password', signUp: '/signupaff' },
  loginCpam: { reset: '/invoice-reset-cpa', signUp: '/signupcpa' },
}

/** Every log-in page: one form, under the brand that the domain's translation brings. */
export function Screen() {
  const [factor, setFactor] = useState<string | undefined>(takePendingFactor)
  /** The phone for the log-in, once a code was requested; empty while none was entered. */
  const [byCode, setByCode] = useState<string>()
  const [step, setStep] = useState<GoogleLater | undefined>(takeGoogleStep)
  const take = (answer: Parameters<typeof answered>[0]) => {
    const next = answered(answer)
    if ('session' in next) setSession(next.session)
    else setFactor(next.factorToken)
  }
  if (factor) return <Factor token={factor} onBack={() => setFactor(undefined)} />
  if (byCode !== undefined)
    return (
      <Suspense>
        <LogInByCode phone={byCode} onIn={take} onBack={() => setByCode(undefined)} />
      </Suspense>
    )
  if (step)
    return (
      <Suspense>
        <GoogleStep step={step} onIn={take} onBack={() => setStep(undefined)} />
      </Suspense>
    )
  return <Credentials take={take} onCode={setByCode} onStep={setStep} />
}

function Credentials({
  take,
  onCode,
  onStep,
}: {
  take: (answer: Parameters<typeof answered>[0]) => void
  onCode: (phone: string) => void
  onStep: (step: GoogleLater) => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const brand = useBrand()
  const said = useFailureText()
  const screen = useScreen()?.name ?? 'login'
  const way = ways[screen] ?? { reset: '/reset-password' }
  // Read when it is needed: coming back from Google brings back what the address carried.
  const search = () =>
    way.area ? writeQuery({ ...readQuery(location.search), area: way.area }) : location.search
  const isOffice = screen === 'loginCpa' || screen === 'loginCpam'
  const means = useCall(logInMeans, {}, { staleTime: 600_000 }).data
  const [other, setOther] = useState<{ busy?: 'google' | 'demo'; failed?: string; unknown?: string }>(() => {
    const answer = readGoogleAnswer()
    if (!answer) return {}
    if (!('refused' in answer)) return { busy: 'google' }
    return answer.signUp ? {} : { failed: t(answer.refused) }
  })

  const { ref: formRef, ...form } = useForm(
    { email: '', password: '' },
    ({ email, password }) => ({
      email: !email.trim() && 'errors.fields.need',
      password: !password && 'errors.fields.need',
    }),
    async ({ email, password }) => take(await call(logIn, { email, password, language: lang })),
    'password',
  )
  const tryOther = (deed: () => Promise<void>) => {
    deed().catch((e: unknown) => setOther({ failed: said(e) }))
  }
  const cameWith = useRef<ReturnType<typeof takeGoogleAnswer>>(undefined)
  const backFromGoogle = useEffectEvent(() => {
    const answer = cameWith.current
    cameWith.current = undefined
    if (!answer) return
    const toSignUp = () => {
      keepGoogleSignUp(answer, answer.signUp)
      go('/signupinvoice' + search(), { replace: true })
    }
    if ('refused' in answer) {
      if (answer.signUp) toSignUp()
      return
    }
    tryOther(async () => {
      try {
        const came = await enterWithGoogle(answer.token)
        if ('entered' in came) take(came.entered)
        else onStep(came.step)
      } catch (e) {
        if (!(e instanceof CallFailure && e.code === 'session.googleUnknown')) throw e
        // Nobody here has this account: a sign-up goes on, a log-in shows the reason and offers the sign-up.
        if (answer.signUp) toSignUp()
        else setOther({ failed: said(e), unknown: answer.token })
      }
    })
  })
  // The token leaves the address before the page is shown.
  useLayoutEffect(() => {
    cameWith.current ??= takeGoogleAnswer()
  }, [])
  useEffect(() => backFromGoogle(), [])
  const failed = form.rest ?? other.failed

  return (
    <AccountFrame
      title={t(screen === 'login' && !brand.isDealer ? 'session.logIn.title' : `screens.${screen}`)}
      sub={t(
        screen !== 'login'
          ? `session.logIn.sub.${screen}`
          : brand.isDealer
            ? 'session.logIn.sub.loginBuzz'
            : 'session.logIn.sub',
        {
          name: brand.name,
        },
      )}
      {...(way.signUp
        ? {
            other: {
              ask: t('session.logIn.newHere'),
              word: t('session.signUp.word'),
              href: way.signUp + search(),
            },
          }
        : {})}
      aside={way.signUp === '/signupinvoice' && !brand.isDealer ? <Paper /> : undefined}
    >
      <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
        {failed && <Note tone="late">{failed}</Note>}
        {other.unknown !== undefined && way.signUp === '/signupinvoice' && (
          <Button
            kind="soft"
            size="l"
            wide
            onPress={() => {
              keepGoogleSignUp({ token: other.unknown! })
              go('/signupinvoice' + search())
            }}
          >
            {t('session.signUp.withGoogle')}
          </Button>
        )}
        <TextField
          {...form.field('email')}
          label={t('session.field.emailOrPhone')}
          ltr
          autoComplete="username"
          inputMode="email"
          autoFocus
        />
        <div className="a-ways">
          <PasswordField {...form.field('password')} label={t('session.field.password')} />
          <div className="a-line">
            <Link className="link" href={way.reset + location.search}>
              {t('session.logIn.forgot')}
            </Link>
            <button
              type="button"
              className="link"
              onClick={() => onCode(isPhone(form.values.email) ? form.values.email.trim() : '')}
            >
              {t('session.logIn.byCode')}
            </button>
          </div>
        </div>
        <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
          {t('session.logIn.do')}
        </Button>
      </form>
      {((means?.googleClientId && means.googleAddress) || means?.demo) && (
        <div className="a-ways">
          <span className="a-or">{t('session.or')}</span>
          {means.googleClientId && means.googleAddress && (
            <Button
              size="l"
              wide
              busy={other.busy === 'google'}
              onPress={() =>
                goToGoogle(
                  { clientId: means.googleClientId!, address: means.googleAddress! },
                  { search: search() },
                )
              }
            >
              {t('session.logIn.google')}
            </Button>
          )}
          {means.demo && (
            <Button
              size="l"
              wide
              busy={other.busy === 'demo'}
              onPress={() => {
                setOther({ busy: 'demo' })
                tryOther(async () =>
                  setSession(await call(isOffice ? openDemoOffice : openDemo, { language: lang })),
                )
              }}
            >
              {t(isOffice ? 'session.logIn.demoOffice' : 'session.logIn.demo')}
            </Button>
          )}
        </div>
      )}
    </AccountFrame>
  )
}

/** The code of the second factor. */
function Factor({ token, onBack }: { token: string; onBack: () => void }) {
  const t = useWords()
  const [byPaper, setByPaper] = useState(false)
  const { ref: formRef, ...form } = useForm(
    { code: '' },
    ({ code }) => ({
      code: byPaper
        ? !mayBeRecoveryCode(code) && 'session.recovery.wrong'
        : !/^\d{6}$/.test(code.replace(/\s/g, '')) && 'errors.fields.code',
    }),
    async ({ code }) => setSession(await call(logInFactor, { token, code: code.replace(/\s/g, '') })),
    'code',
  )
  return (
    <AccountFrame
      title={t('session.factor.title')}
      sub={t(byPaper ? 'session.recovery.sub' : 'session.factor.sub')}
    >
      <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
        {form.rest && <Note tone="late">{form.rest}</Note>}
        <div className="a-code">
          <TextField
            key={byPaper ? 'paper' : 'phone'}
            {...form.field('code')}
            label={t(byPaper ? 'session.recovery.code' : 'session.field.code')}
            ltr
            {...(byPaper
              ? { autoComplete: 'off', max: 40 }
              : { inputMode: 'numeric', autoComplete: 'one-time-code', max: 7 })}
            autoFocus
          />
        </div>
        <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
          {t('session.logIn.do')}
        </Button>
        <Button
          kind="quiet"
          wide
          onPress={() => {
            form.set({ code: '' })
            setByPaper(!byPaper)
          }}
        >
          {t(byPaper ? 'session.recovery.byPhone' : 'session.recovery.lost')}
        </Button>
        <Button kind="quiet" wide onPress={onBack}>
          {t('session.factor.back')}
        </Button>
      </form>
    </AccountFrame>
  )
}
