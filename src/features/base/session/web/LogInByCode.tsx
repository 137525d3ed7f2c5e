import { useState, type ReactNode } from 'react'
import { call } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { Session } from '#kit/describe/session.ts'
import { askLogInCode, logInSms } from '../endpoints.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { AskCode, CodeField, codeFault } from './CodeForms.tsx'
import { useForm } from './useForm.ts'

type Answer = Session | { factorNeeded: true; token: string }

/** Logs in by a code to the phone, without a password; a second factor is asked for after it. */
export function LogInByCode({
  phone: known,
  onIn,
  onBack,
}: {
  phone: string
  onIn: (answer: Answer) => void
  onBack: () => void
}) {
  const t = useWords()
  const [phone, setPhone] = useState(known)
  const [isSent, setSent] = useState(false)
  const back = (
    <Button kind="quiet" wide onPress={onBack}>
      {t('session.logIn.byPassword')}
    </Button>
  )
  return isSent ? (
    <AccountFrame
      key="sent"
      title={t('session.reset.smsSent')}
      sub={t('session.reset.smsSentText', { phone })}
    >
      <Code phone={phone} onIn={onIn}>
        <Button kind="quiet" wide onPress={() => setSent(false)}>
          {t('session.reset.anotherPhone')}
        </Button>
        {back}
      </Code>
    </AccountFrame>
  ) : (
    <AccountFrame key="ask" title={t('session.logIn.byCode')} sub={t('session.reset.smsSub')}>
      <AskCode
        by={askLogInCode}
        phone={phone}
        onSent={(to) => {
          setPhone(to)
          setSent(true)
        }}
      >
        {back}
      </AskCode>
    </AccountFrame>
  )
}

function Code({
  phone,
  onIn,
  children,
}: {
  phone: string
  onIn: (answer: Answer) => void
  children: ReactNode
}) {
  const t = useWords()
  const { ref: formRef, ...form } = useForm(
    { code: '' },
    ({ code }) => ({ code: codeFault(code) }),
    async ({ code }) => onIn(await call(logInSms, { phone, code: code.replace(/\s/g, '') })),
    'code',
  )
  return (
    <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
      {form.rest && <Note tone="late">{form.rest}</Note>}
      <CodeField form={form} />
      <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
        {t('session.logIn.do')}
      </Button>
      {children}
    </form>
  )
}
