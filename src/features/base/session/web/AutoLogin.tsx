import { useCallback, useEffect, useRef, useState } from 'react'
import { call, useFailureText } from '#kit/web/calls/call.ts'
import { mainPath } from '#kit/web/session/guard.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go } from '#kit/web/routes/place.ts'
import { setSession, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { openLetterLink, useAutoLogin as spendLink } from '../endpoints.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { takeKey } from './takeKey.ts'

/**
 * A link that logs its person in, once and within a minute; what was refused says why and leads to the
 * ordinary way in.
 */
export function Screen() {
  const t = useWords()
  const said = useFailureText()
  const session = useSession()
  const [token] = useState(takeKey)
  const [failure, setFailure] = useState<string>()
  const isLetter = new URLSearchParams(location.search).get('by') === 'letter'
  const [offered, setOffered] = useState<{ name: string; business: string }>()
  const [busy, setBusy] = useState(false)
  const spent = useRef(false)
  const enter = useCallback(
    () =>
      call(spendLink, { token }).then(
        ({ path, ...opened }) => {
          setSession(opened)
          go(path === '/login' ? mainPath(opened) : path, { replace: true })
        },
        (e: unknown) => setFailure(said(e)),
      ),
    [token, said],
  )
  useEffect(() => {
    if (!token || spent.current) return
    spent.current = true
    // What a letter brought waits for a press: programs of the mail open pages too.
    if (isLetter) call(openLetterLink, { token }).then(setOffered, (e: unknown) => setFailure(said(e)))
    else void enter()
  }, [token, said, isLetter, enter])
  const why = token ? failure : t('errors.session.autoUnknown')
  return (
    <AccountFrame
      title={t(why ? 'session.auto.refused' : offered ? 'session.auto.enter' : 'session.auto.title')}
    >
      {why ? (
        <>
          <Note tone="late">{why}</Note>
          <Button
            kind="primary"
            size="l"
            wide
            href={session ? mainPath(session) : location.pathname.includes('cpa') ? '/logincpa' : '/login'}
          >
            {t(session ? 'session.auto.stay' : 'session.logIn.do')}
          </Button>
        </>
      ) : offered ? (
        <>
          <p>{t('session.auto.letter', offered)}</p>
          <Button
            kind="primary"
            size="l"
            wide
            busy={busy}
            autoFocus
            onPress={() => {
              setBusy(true)
              void enter()
            }}
          >
            {t('session.auto.enter')}
          </Button>
        </>
      ) : (
        <Skeleton lines={3} />
      )}
    </AccountFrame>
  )
}
