import { useEffect, useEffectEvent, useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, CallFailure, useFailureText } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { clearSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { showChange, undoChange } from '../endpoints.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { takeKey } from './takeKey.ts'

/** The link in the notice of a change of an account: what was changed, and the way to undo it. */
export function Screen() {
  const t = useWords()
  const said = useFailureText()
  const [token] = useState(takeKey)
  const [change, setChange] = useState<OutputOf<typeof showChange>>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  // There is no new link to ask for: another way into the account is named.
  const why = (e: unknown) =>
    e instanceof CallFailure && e.code === 'session.linkEnded' ? t('session.undo.over') : said(e)
  const failed = useEffectEvent((e: unknown) => setFailure(why(e)))
  useEffect(() => {
    if (token) call(showChange, { token }).then(setChange, failed)
  }, [token])
  const undo = async () => {
    setBusy(true)
    try {
      const { token: reset } = await call(undoChange, { token })
      // The sessions of the account have ended, the one of this browser with them.
      clearSession()
      location.replace(`/reset-password#${reset}`)
    } catch (e) {
      setFailure(why(e))
      setBusy(false)
    }
  }
  const refusal = token ? failure : t('session.undo.over')
  return (
    <AccountFrame title={t('session.undo.title')}>
      {refusal ? (
        <>
          <Note tone="late">{refusal}</Note>
          <Button kind="primary" size="l" wide href="/login">
            {t('session.logIn.do')}
          </Button>
        </>
      ) : change ? (
        <>
          <Note tone="wait">
            {t(`session.change.${change.kind}`, { detail: '' })}
            <br />
            {t('session.undo.when')}: <bdi className="num">{formatMoment(new Date(change.madeAt))}</bdi> ·{' '}
            {t('session.undo.address')}: <bdi className="num">{change.address}</bdi>
          </Note>
          <p>{t('session.undo.text')}</p>
          <Button kind="danger" size="l" wide busy={busy} onPress={() => void undo()}>
            {t('session.undo.do')}
          </Button>
          <Button size="l" wide href="/login">
            {t('session.undo.keep')}
          </Button>
        </>
      ) : (
        <Skeleton lines={4} />
      )}
    </AccountFrame>
  )
}
