import { CloudOff, SearchX } from 'lucide-react'
import { Button } from '../parts/Button.tsx'
import { failureText } from '../calls/call.ts'
import { loginPath, mainPath } from '../session/guard.ts'
import { go } from '../routes/place.ts'
import { banner } from './banner.ts'
import { PageState } from './PageState.tsx'
import { lastType, useSession } from '../session/session.ts'
import { useWords } from '../words/words.tsx'

/** 'Network Error': said on the screen one is on, never instead of it. */
export function NetworkNotice({ retry }: { retry?: string }) {
  const t = useWords()
  return (
    <span className="s-notice" data-notice="network">
      {t('errors.kit.network')}{' '}
      {retry !== undefined && (
        <Button
          kind="quiet"
          size="s"
          onPress={() => {
            banner.clear()
            go(retry)
          }}
        >
          {t('kit.actions.retry')}
        </Button>
      )}
    </span>
  )
}

/** A log-in with a Google token: its progress, or why it failed. */
export function GoogleNotice({ refused }: { refused?: unknown }) {
  const t = useWords()
  return (
    <span data-notice="google">
      {refused === undefined ? t('kit.google.entering') : failureText(t, refused)}
    </span>
  )
}

/** An address that leads nowhere. */
export function NotFound() {
  const t = useWords()
  const session = useSession()
  return (
    <div className="s-state" data-page="not-found">
      <PageState
        icon={SearchX}
        title={t('kit.notFound.title')}
        actions={
          <Button kind="primary" href={session ? mainPath(session) : loginPath(lastType())}>
            {t(session ? 'kit.notFound.home' : 'kit.notFound.login')}
          </Button>
        }
      >
        {t('kit.notFound.text')}
      </PageState>
    </div>
  )
}

/** A screen broke, or its code never came: what is safe, and the way to try again. */
export function ScreenFailed({ error, reset }: { error: unknown; reset?: () => void }) {
  const t = useWords()
  const offline = error instanceof Error && /module|fetch/i.test(error.message)
  return (
    <div className="s-state" data-page={offline ? 'network' : 'failed'}>
      <PageState
        icon={CloudOff}
        title={t(offline ? 'kit.offline.title' : 'kit.failed.title')}
        actions={
          <Button
            kind="primary"
            onPress={() => {
              reset?.()
              location.reload()
            }}
          >
            {t('kit.actions.retry')}
          </Button>
        }
      >
        {t(offline ? 'errors.kit.network' : 'kit.failed.text')}
      </PageState>
    </div>
  )
}
