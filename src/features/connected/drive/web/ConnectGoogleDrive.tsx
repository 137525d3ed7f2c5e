import { Link2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call, failureText } from '#kit/web/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useDeed } from '#kit/web/parts/useDeed.ts'
import { go, usePlace } from '#kit/web/place.ts'
import { useWords } from '#kit/web/words.tsx'
import { beginGoogle, endGoogle } from '../endpoints.ts'
import { refresh } from './Drive.tsx'
import './drive.css'

/** The way to Google and back: an address that bears an answer is taken up at once, any other begins. */
export function Screen() {
  const t = useWords()
  const { query } = usePlace()
  return (
    <div className="dr-page dr-narrow">
      <PageHeader title={t('screens.connectGoogleDrive')} crumbs={[{ label: t('screens.drive'), href: '/invoice/drive' }]} />
      {query.state ? <Back query={query} /> : <Begin />}
    </div>
  )
}

function Begin() {
  const t = useWords()
  const { busy, rest, run, place } = useDeed([], async () => location.assign((await call(beginGoogle, {})).url))
  return (
    <Card>
      <form className="dr-form" noValidate ref={place} onSubmit={run}>
        <p>{t('drive.begin')}</p>
        {rest && <Note tone="late">{rest}</Note>}
        <div className="dr-buttons">
          <Button kind="primary" type="submit" icon={Link2} busy={busy}>
            {t('drive.goGoogle')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Back({ query: { state = '', code = '', error = '' } }: { query: Record<string, string> }) {
  const t = useWords()
  const [failure, setFailure] = useState<unknown>()
  // An answer is good once.
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    call(endGoogle, { state, code, error }).then(
      async () => {
        await refresh()
        go('/invoice/drive', { replace: true })
      },
      (e: unknown) => setFailure(e),
    )
  }, [state, code, error])
  if (failure === undefined) return <Skeleton lines={4} />
  return (
    <div className="dr-form">
      <Note tone="late">{failureText(t, failure)}</Note>
      <div className="dr-buttons">
        <Button href="/connectgoogledrive">{t('drive.reconnect')}</Button>
      </div>
    </div>
  )
}
