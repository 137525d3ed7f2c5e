import { CircleOff, CloudOff, LockKeyhole, SearchX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { failureText } from '../call.ts'
import { loginPath, mainPath } from '../guard.ts'
import { go } from '../place.ts'
import { banner } from './banner.ts'
import { turnOnAreas } from './registry.ts'
import { lastType, mayDo, useSession } from '../session.ts'
import { useWords } from '../words.tsx'

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

/** A whole page that says one thing: the shape of an empty list, with the heading of a page. */
function State({
  icon,
  title,
  actions,
  children,
}: {
  icon: LucideIcon
  title: string
  actions: ReactNode
  children: ReactNode
}) {
  return (
    <div className="k-empty">
      <Icon of={icon} size="xl" />
      <h1>{title}</h1>
      <p>{children}</p>
      <div className="acts">{actions}</div>
    </div>
  )
}

/** An address that leads nowhere. */
export function NotFound() {
  const t = useWords()
  const session = useSession()
  return (
    <div className="s-state" data-page="not-found">
      <State
        icon={SearchX}
        title={t('kit.notFound.title')}
        actions={
          <Button kind="primary" href={session ? mainPath(session) : loginPath(lastType())}>
            {t(session ? 'kit.notFound.home' : 'kit.notFound.login')}
          </Button>
        }
      >
        {t('kit.notFound.text')}
      </State>
    </div>
  )
}

export interface ShutProps {
  /** `law`: the legal kind of the business has no use for it. */
  why: 'users' | 'area' | 'rule' | 'module' | 'law'
  area?: string | undefined
  module?: string | undefined
  /** The name of the screen that stays shut. */
  screen: string
}

/** A screen this person may not open; says which, whom to ask, and the way back. */
export function Shut({ why, area, module, screen }: ShutProps) {
  const t = useWords()
  const session = useSession()
  if (why === 'law')
    return (
      <div className="s-state" data-page="forbidden">
        <State
          icon={CircleOff}
          title={t('modules.offer.vat.title')}
          actions={
            <Button kind="primary" href="/invoice/reportincome">
              {t('modules.offer.vat.open')}
            </Button>
          }
        >
          {t('modules.offer.vat.text')}
        </State>
      </div>
    )
  return (
    <div className="s-state" data-page="forbidden">
      <State
        icon={LockKeyhole}
        title={t(`kit.shut.${why}.title`)}
        actions={
          <>
            {why === 'area' && area && mayDo(session, 'modules') && (
              <Button kind="primary" onPress={() => turnOnAreas([area])}>
                {t('kit.shut.area.open')}
              </Button>
            )}
            {why === 'module' && (
              <Button kind="primary" href="/invoice/modules">
                {t('kit.shut.module.open')}
              </Button>
            )}
            {session && <Button href={mainPath(session)}>{t('kit.notFound.home')}</Button>}
          </>
        }
      >
        {t(`kit.shut.${why}.text`, {
          screen: t(`screens.${screen}`),
          ...(area ? { area: t(`areas.${area}`) } : {}),
          ...(module ? { module: t(`modules.named.${module}`) } : {}),
        })}
        {why === 'rule' && (
          <>
            <br />
            {session?.Owner ? t('kit.shut.rule.ask', { owner: session.Owner }) : t('kit.shut.rule.askOwner')}
          </>
        )}
      </State>
    </div>
  )
}

/** A screen broke, or its code never came: what is safe, and the way to try again. */
export function ScreenFailed({ error, reset }: { error: unknown; reset?: () => void }) {
  const t = useWords()
  const offline = error instanceof Error && /module|fetch/i.test(error.message)
  return (
    <div className="s-state" data-page={offline ? 'network' : 'failed'}>
      <State
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
      </State>
    </div>
  )
}
