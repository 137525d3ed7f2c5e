import { LogIn } from 'lucide-react'
import type { ReactNode } from 'react'
import { access } from '#kit/web/session/guard.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { go, wanted } from '#kit/web/routes/place.ts'
import { mayDo, useSession } from '#kit/web/session/session.ts'
import { Shut } from '#kit/web/shell/Shut.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { signTemplates } from '../signing.ts'

/**
 * A screen that opens for everybody, as the guard always allowed: without a session it offers the log-in, which
 * leads back here, and without the right it says so.
 */
export function Within({ screen, children }: { screen: string; children: ReactNode }) {
  const t = useWords()
  const session = useSession()
  if (!session)
    return (
      <>
        <PageHeader title={t(`screens.${screen}`)} />
        <EmptyState
          icon={LogIn}
          title={t('kit.ordered.title')}
          actions={
            <Button
              kind="primary"
              onPress={() => {
                wanted.href = location.pathname + location.search
                go('/login')
              }}
            >
              {t('kit.shell.login')}
            </Button>
          }
        >
          {t('kit.ordered.text')}
        </EmptyState>
      </>
    )
  const verdict = access({ open: 'anyone', rule: signTemplates.allow.see }, session, mayDo)
  return verdict.kind === 'shut' ? <Shut why={verdict.why} area="signing" screen={screen} /> : children
}
