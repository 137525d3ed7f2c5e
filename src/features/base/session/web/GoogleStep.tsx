import { useState } from 'react'
import { call, useFailureText } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { logInGoogle } from '../endpoints.ts'
import { AccountFrame } from './AccountFrame.tsx'
import type { GoogleIn, GoogleLater } from './google.ts'

/**
 * What comes between Google and the application: the confirmation that Google is connected to an existing account, or
 * what ended because the address of the account had never been verified.
 */
export function GoogleStep({
  step,
  onIn,
  onBack,
}: {
  step: GoogleLater
  onIn: (answer: GoogleIn) => void
  onBack: () => void
}) {
  const t = useWords()
  const said = useFailureText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  if ('entered' in step)
    return (
      <AccountFrame title={t('session.logIn.title')}>
        <Note tone="wait">{t('session.google.cleared')}</Note>
        <Button kind="primary" size="l" wide autoFocus onPress={() => onIn(step.entered)}>
          {t('session.verify.continue')}
        </Button>
      </AccountFrame>
    )
  const join = async () => {
    setBusy(true)
    try {
      const answer = await call(logInGoogle, { token: step.token, join: true })
      if (!('joinNeeded' in answer)) onIn(answer)
    } catch (e) {
      setFailure(said(e))
      setBusy(false)
    }
  }
  return (
    <AccountFrame title={t('session.google.join.title')}>
      {failure && <Note tone="late">{failure}</Note>}
      <p>{t('session.google.join.text', { email: step.email })}</p>
      <Button kind="primary" size="l" wide autoFocus busy={busy} onPress={() => void join()}>
        {t('session.google.join.do')}
      </Button>
      <Button size="l" wide onPress={onBack}>
        {t('session.logIn.byPassword')}
      </Button>
    </AccountFrame>
  )
}
