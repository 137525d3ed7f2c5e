import { CircleOff, LockKeyhole } from 'lucide-react'
import { mainPath } from '../session/guard.ts'
import { Button } from '../parts/Button.tsx'
import { mayDo, useSession } from '../session/session.ts'
import { useWords } from '../words/words.tsx'
import { PageState } from './PageState.tsx'
import { turnOnAreas } from './registry.ts'

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
        <PageState
          icon={CircleOff}
          title={t('modules.offer.vat.title')}
          actions={
            <Button kind="primary" href="/invoice/reportincome">
              {t('modules.offer.vat.open')}
            </Button>
          }
        >
          {t('modules.offer.vat.text')}
        </PageState>
      </div>
    )
  return (
    <div className="s-state" data-page="forbidden">
      <PageState
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
      </PageState>
    </div>
  )
}
