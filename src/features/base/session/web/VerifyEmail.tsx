import { useState } from 'react'
import { call, queryClient, keyOf, useFailureText } from '#kit/web/calls/call.ts'
import { mainPath } from '#kit/web/session/guard.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { mySession, verifyLink } from '../endpoints.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { takeKey } from './takeKey.ts'

/** The link of the email that verifies an address; a press confirms it, because mail programs open links too. */
export function Screen() {
  const t = useWords()
  const said = useFailureText()
  const session = useSession()
  const [token] = useState(takeKey)
  const [state, setState] = useState<'asked' | 'busy' | 'done'>('asked')
  const [failure, setFailure] = useState<string>()
  const confirm = async () => {
    setState('busy')
    try {
      await call(verifyLink, { token })
      setState('done')
      await queryClient.invalidateQueries({ queryKey: keyOf(mySession) })
    } catch (e) {
      setState('asked')
      setFailure(said(e))
    }
  }
  const why = failure ?? (token ? undefined : t('errors.session.linkEnded'))
  const on = (
    <Button kind="primary" size="l" wide href={session ? mainPath(session) : '/login'}>
      {t(session ? 'session.verify.continue' : 'session.logIn.do')}
    </Button>
  )
  return (
    <AccountFrame title={t('session.verify.title')}>
      {why ? (
        <>
          <Note tone="late">{why}</Note>
          {on}
        </>
      ) : state === 'done' ? (
        <>
          <Note tone="done">{t('session.verify.done')}</Note>
          {on}
        </>
      ) : (
        <>
          <p>{t('session.verify.linkText')}</p>
          <Button
            kind="primary"
            size="l"
            wide
            autoFocus
            busy={state === 'busy'}
            onPress={() => void confirm()}
          >
            {t('session.verify.do')}
          </Button>
        </>
      )}
    </AccountFrame>
  )
}
