import { LogIn, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { enterBy } from '../routes/cameBack.ts'
import { loginPath } from '../session/guard.ts'
import { lastType } from '../session/session.ts'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

export interface LogInFirstProps {
  icon?: LucideIcon
  title: ReactNode
  /** Why: what there is to see or to finish. */
  children: ReactNode
  /** The page is nothing but this: its title is the page's. */
  whole?: boolean
  /** For people who may be new here: the sign-up comes first. */
  orSignUp?: boolean
}

/**
 * What a page that opens for everyone says where it has nothing to show without a session: why, and the ways
 * in, which lead back here.
 */
export function LogInFirst({ icon = LogIn, title, children, whole, orSignUp }: LogInFirstProps) {
  const t = useWords()
  return (
    <EmptyState
      icon={icon}
      title={title}
      {...(whole ? { whole } : {})}
      actions={
        <>
          <Button kind="primary" onPress={() => enterBy(loginPath(lastType()))}>
            {t('kit.shell.login')}
          </Button>
          {orSignUp && <Button onPress={() => enterBy('/signupinvoice')}>{t('kit.shell.signUp')}</Button>}
        </>
      }
    >
      {children}
    </EmptyState>
  )
}
