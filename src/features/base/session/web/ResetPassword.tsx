import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { CallFailure, call } from '#kit/web/calls/call.ts'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useScreen } from '#kit/web/routes/screenNow.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { askReset, checkReset, useReset as spendReset } from '../endpoints.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { takeKey } from './takeKey.ts'
import { isEmail, useForm } from './useForm.ts'

const backTo: Record<string, string> = { invoiceResetPassword: '/logininvoice', invoiceResetCpa: '/logincpa' }

/** A forgotten password, by email: first the address, then (the link's key is after '#') the new password. */
export function Screen() {
  const [token, setToken] = useState(takeKey)
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    // The link pasted into the window that asked for it: only the part after '#' changes, and no page is loaded.
    const look = () => {
      const key = takeKey()
      if (key) {
        setToken(key)
        setOver(false)
      }
    }
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  return token && !isOver ? (
    <Choose key={token} token={token} onOver={() => setOver(true)} />
  ) : (
    <Ask isOver={isOver} />
  )
}

const isLinkEnded = (e: unknown) => e instanceof CallFailure && e.code === 'session.linkEnded'

const useBack = () => (backTo[useScreen()?.name ?? ''] ?? '/login') + location.search

/** `isOver`: the person arrived by an expired link. */
function Ask({ isOver }: { isOver: boolean }) {
  const t = useWords()
  const { lang } = useLanguage()
  const back = useBack()
  const [sentTo, setSentTo] = useState<string>()
  const { ref: formRef, ...form } = useForm(
    { email: '' },
    ({ email }) => ({
      email: !email.trim() ? 'errors.fields.need' : !isEmail(email) && 'errors.fields.email',
    }),
    async ({ email }) => {
      await call(askReset, { email, language: lang })
      setSentTo(email)
    },
  )
  const other = { ask: t('session.reset.remembered'), word: t('session.logIn.do'), href: back }
  if (sentTo)
    return (
      <AccountFrame title={t('session.reset.sent')} other={other}>
        <Note tone="done">{t('session.reset.sentText', { email: sentTo })}</Note>
        <Button kind="quiet" onPress={() => setSentTo(undefined)}>
          {t('session.reset.another')}
        </Button>
      </AccountFrame>
    )
  return (
    <AccountFrame
      key={isOver ? 'over' : 'ask'}
      title={t(isOver ? 'session.reset.ended' : 'session.reset.title')}
      sub={t(isOver ? 'session.reset.endedSub' : 'session.reset.sub')}
      other={other}
    >
      <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
        {form.rest && <Note tone="late">{form.rest}</Note>}
        <EmailField {...form.field('email')} label={t('session.field.email')} autoFocus />
        <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
          {t('session.reset.do')}
        </Button>
      </form>
      <p className="a-under">
        <Link className="link aim" href={`/reset-password-sms${location.search}`}>
          {t('session.logIn.bySms')}
        </Link>
      </p>
    </AccountFrame>
  )
}

function Choose({ token, onOver }: { token: string; onOver: () => void }) {
  const t = useWords()
  const back = useBack()
  const { ref: formRef, ...form } = useForm(
    { password: '', endKeys: false },
    ({ password }) => ({
      password: !password ? 'errors.fields.need' : password.length < 8 && 'errors.fields.password',
    }),
    async ({ password, endKeys }) => {
      try {
        await call(spendReset, { token, password, endKeys })
      } catch (e) {
        if (isLinkEnded(e)) return onOver()
        throw e
      }
      banner.success(t('session.reset.done'), 8000)
      go(back, { replace: true })
    },
  )
  // Said before the person thinks of a password, not after.
  const told = useEffectEvent((e: unknown) => {
    if (isLinkEnded(e)) onOver()
  })
  useEffect(() => {
    call(checkReset, { token }, { quiet: true }).catch(told)
  }, [token])
  return (
    <AccountFrame title={t('session.reset.choose')} sub={t('session.reset.chooseSub')}>
      <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
        {form.rest && <Note tone="late">{form.rest}</Note>}
        <PasswordField {...form.field('password')} label={t('session.field.newPassword')} isNew autoFocus />
        <FlagField {...form.field('endKeys')} label={t('session.me.endKeys')} />
        <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
          {t('session.reset.save')}
        </Button>
      </form>
    </AccountFrame>
  )
}
