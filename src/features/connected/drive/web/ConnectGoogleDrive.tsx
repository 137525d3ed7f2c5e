import { Link2 } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { can } from '#kit/describe/session.ts'
import { call, failureText } from '#kit/web/calls/call.ts'
import { useCameBack, type CameBack } from '#kit/web/routes/cameBack.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { LogInFirst } from '#kit/web/parts/LogInFirst.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go } from '#kit/web/routes/place.ts'
import { useSession } from '#kit/web/session/session.ts'
import { Shut } from '#kit/web/shell/Shut.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { beginGoogle, endGoogle } from '../endpoints.ts'
import { refresh } from './says.tsx'
import './drive.css'

/** The way to Google and back: an address that bears an answer is taken up at once, any other begins. */
export function Screen() {
  const t = useWords()
  const session = useSession()
  const cameBack = useCameBack()
  const title = t('screens.connectGoogleDrive')
  if (session && !can(session, 'drive')) return <Shut why="rule" screen="connectGoogleDrive" />
  return (
    <div className="dr-page dr-narrow">
      <PageHeader
        title={title}
        {...(session ? { crumbs: [{ label: t('screens.drive'), href: '/invoice/drive' }] } : {})}
      />
      {!session ? (
        <LogInFirst icon={Link2} title={t('kit.away.title')}>
          {t(cameBack.said.state ? 'kit.away.back' : 'drive.logIn')}
        </LogInFirst>
      ) : cameBack.said.state ? (
        <Back of={cameBack} />
      ) : (
        <Begin />
      )}
    </div>
  )
}

function Begin() {
  const t = useWords()
  const { busy, rest, run, place } = useAction([], async () =>
    location.assign((await call(beginGoogle, {})).url),
  )
  return (
    <Card>
      <form className="dr-form" noValidate ref={place} onSubmit={run}>
        <p>{t('drive.begin')}</p>
        {rest && <Note tone="late">{rest}</Note>}
        <div className="dr-buttons">
          <Button kind="primary" type="submit" icon={Link2} busy={busy}>
            {t('drive.goGoogle')}
          </Button>
          <Button kind="quiet" href="/invoice/drive">
            {t('drive.cancel')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Back({ of: { said, given, forget } }: { of: CameBack }) {
  const { state = '', code = '', error = '' } = said
  const t = useWords()
  const [failure, setFailure] = useState<unknown>()
  const took = useEffectEvent(given)
  // An answer is good once.
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    call(endGoogle, { state, code, error }).then(
      async () => {
        took()
        await refresh()
        go('/invoice/drive', { replace: true })
      },
      (e: unknown) => {
        took(e)
        setFailure(e)
      },
    )
  }, [state, code, error])
  if (failure === undefined) return <Skeleton lines={4} />
  return (
    <div className="dr-form">
      <Note tone="late">{failureText(t, failure)}</Note>
      <div className="dr-buttons">
        <Button onPress={forget}>{t('drive.reconnect')}</Button>
        <Button kind="quiet" href="/invoice/drive">
          {t('drive.cancel')}
        </Button>
      </div>
    </div>
  )
}
